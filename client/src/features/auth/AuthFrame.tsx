import type { ReactNode } from 'react'
import { Wordmark } from '../../layout/Wordmark.tsx'
import classes from './AuthFrame.module.css'
import { GradedPaperIllustration } from './GradedPaperIllustration.tsx'
import { LegalLink } from './LegalLink.tsx'

/** Around sign-in and registration: the form, and on wide screens what Assay does, drawn. */
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
