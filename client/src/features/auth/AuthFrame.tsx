import { Checkbox, type CheckboxProps, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Wordmark } from '../../layout/Wordmark.tsx'
import classes from './AuthFrame.module.css'
import authClasses from './auth.module.css'

export function AuthFrame({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.root}>
      <div className={classes.form}>
        <div className={classes.column}>
          <div className={classes.brand}>
            <Wordmark />
          </div>
          <h1 className={classes.title}>{title}</h1>
          {intro && <p className={classes.intro}>{intro}</p>}
          {children}
          <p className={classes.legal}>
            <LegalLink to="/terms">Terms</LegalLink>
            <LegalLink to="/privacy">Privacy</LegalLink>
          </p>
        </div>
      </div>
      <aside className={classes.picture} aria-label="What Assay does">
        <GradedPaperIllustration />
        <p className={classes.claim}>
          Every suggested grade shows its evidence.
          <br />
          You make the final decision.
        </p>
      </aside>
    </div>
  )
}

function GradedPaperIllustration() {
  return (
    <svg viewBox="0 0 460 380" className={`${classes.drawing} ${classes.paper}`} aria-hidden="true">
      <rect x="52" y="26" width="250" height="330" rx="6" className={classes.sheet} transform="rotate(-3 177 191)" />
      <rect x="44" y="18" width="250" height="336" rx="6" className={classes.sheet} />
      <path d="M70 52h86M70 68h52" className={classes.print} />
      <path d="M70 104h150" className={classes.print} />
      <path
        d="M70 130c12-7 16 6 26 0s14-6 24 0 16 4 26-1 16-5 26 1 14 4 22 0M70 148c10-6 18 5 28 0s18-5 26 0 18 5 30-1"
        className={classes.hand}
      />
      <path d="M70 190h132" className={classes.print} />
      <rect x="62" y="204" width="206" height="54" rx="4" className={classes.evidence} />
      <path
        d="M72 222c12-7 18 6 28 0s16-6 26 0 16 5 28-1 18-5 28 1 16 4 26 0 12-4 20-1M72 243c10-6 20 5 30 0s18-5 28 0 20 5 34-1"
        className={classes.hand}
      />
      <path d="M70 290h148" className={classes.print} />
      <path d="M70 314c12-7 16 6 26 0s14-6 24 0 16 4 26-1 16-5 26 1" className={classes.hand} />
      <path d="M268 231h36" className={classes.link} />
      <rect x="304" y="170" width="140" height="128" rx="8" className={classes.card} />
      <text x="320" y="200" className={classes.points}>
        3 / 5
      </text>
      <path d="M392 194.5l4.5 4.5 9-10" className={classes.tick} />
      <path d="M320 222h106M320 237h94M320 252h70" className={classes.print} />
      <path
        d="M326.5 268c.8 4 2.3 5.6 6.5 7-4.2 1.4-5.7 3-6.5 7-.8-4-2.3-5.6-6.5-7 4.2-1.4 5.7-3 6.5-7Z"
        className={classes.star}
      />
      <path d="M342 275h46" className={classes.starLine} />
    </svg>
  )
}

/** In a new tab: coming back would empty the form. */
function LegalLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} target="_blank" rel="noreferrer">
      {children}
      <VisuallyHidden> (opens in a new tab)</VisuallyHidden>
    </Link>
  )
}

export function TermsCheckbox(props: CheckboxProps) {
  return (
    <Checkbox
      {...props}
      className={authClasses.terms}
      label={
        <>
          I accept the <LegalLink to="/terms">terms</LegalLink> and have read the{' '}
          <LegalLink to="/privacy">privacy notice</LegalLink>
        </>
      }
    />
  )
}
