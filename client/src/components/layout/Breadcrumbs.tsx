import { Link } from 'react-router-dom'
import classes from './Breadcrumbs.module.css'

export interface Crumb {
  label: string
  to?: string
}

export function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb">
      <ol className={classes.root}>
        {crumbs.map((crumb) => (
          <li key={crumb.label + crumb.to}>
            {crumb.to ? <Link to={crumb.to}>{crumb.label}</Link> : <span aria-current="page">{crumb.label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
