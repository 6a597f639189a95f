import { IconBooks, IconChevronRight, IconListCheck, IconUserCog } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import classes from './QuickActions.module.css'

const actions = [
  { label: 'All Grades', to: '/student/grades', Icon: IconListCheck },
  { label: 'All Courses', to: '/student/courses', Icon: IconBooks },
  { label: 'Profile Settings', to: '/student/profile', Icon: IconUserCog },
]

export function QuickActions() {
  return (
    <nav className={classes.root} aria-labelledby="quick-actions">
      <h2 id="quick-actions" className={classes.title}>
        Quick Actions
      </h2>
      <ul className={classes.list}>
        {actions.map(({ label, to, Icon }) => (
          <li key={to}>
            <Link to={to} className={classes.link}>
              <Icon size={18} stroke={1.6} aria-hidden />
              <span>{label}</span>
              <IconChevronRight size={16} className={classes.arrow} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
