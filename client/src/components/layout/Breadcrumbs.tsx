import { Link } from 'react-router-dom'
import classes from './Breadcrumbs.module.css'

export interface Crumb {
  label: string
  to?: string
}

interface Props {
  crumbs: Crumb[]
  /** The first crumb is cut short, and a phone shows none. */
  inOneLine?: boolean
}

export function Breadcrumbs({ crumbs, inOneLine = false }: Props) {
  return (
    <nav aria-label="Breadcrumb" className={inOneLine ? classes.oneLine : undefined}>
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
