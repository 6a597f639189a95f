import { Link } from 'react-router-dom'
import classes from './Footer.module.css'

export function Footer() {
  return (
    <footer className={classes.root}>
      <div className={classes.inner}>
        <span>© {new Date().getFullYear()} Assay. AI-assisted grading, decided by the teacher.</span>
        <nav aria-label="Legal" className={classes.links}>
          <Link to="/terms">Terms</Link>
          <Link to="/privacy">Privacy</Link>
        </nav>
      </div>
    </footer>
  )
}
