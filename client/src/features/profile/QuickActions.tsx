import type { Role } from '@assay/shared/users.ts'
import { IconChevronRight } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { homePathOf } from '../../lib/session/redirect-paths.ts'
import classes from './ProfilePage.module.css'

const more: Record<Role, { label: string; to: string }[]> = {
  student: [
    { label: 'All Courses', to: '/student/courses' },
    { label: 'All Grades', to: '/student/grades' },
  ],
  instructor: [
    { label: 'Courses', to: '/courses' },
    { label: 'Create Assignment', to: '/create-assignment' },
  ],
  admin: [
    { label: 'User Management', to: '/admin/users' },
    { label: 'Admin Settings', to: '/admin/settings' },
  ],
}

export function QuickActions({ role }: { role: Role }) {
  const actions = [{ label: 'Dashboard', to: homePathOf(role) }, ...more[role]]
  return (
    <nav className={classes.card} aria-labelledby="quick">
      <div className={classes.head}>
        <h2 id="quick">Quick Actions</h2>
      </div>
      <ul className={classes.actions}>
        {actions.map(({ label, to }) => (
          <li key={to}>
            <Link to={to}>
              {label} <IconChevronRight size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
