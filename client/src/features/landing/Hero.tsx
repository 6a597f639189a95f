import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import classes from './Hero.module.css'
import { HeroIllustration } from './HeroIllustration.tsx'

export function Hero() {
  return (
    <section className={classes.root} aria-labelledby="hero">
      <div className={classes.words}>
        <h1 id="hero" className={classes.title}>
          Grade&nbsp;the&nbsp;stack. See&nbsp;why, on&nbsp;the&nbsp;page.
        </h1>
        <p className={classes.lead}>
          Assay reads your students’ papers against your answer key, suggests points for every question, and highlights
          the evidence for each suggestion. You make the final decision.
        </p>
        <div className={classes.buttons}>
          <Button component={Link} to="/auth/register?role=instructor" size="lg">
            Get Started as Instructor
          </Button>
          <Button component={Link} to="/auth/register?role=student" size="lg" variant="default">
            Join as Student
          </Button>
        </div>
        <p className={classes.fine}>Free software. No credit card, and nothing to install for your students.</p>
      </div>
      <HeroIllustration />
    </section>
  )
}
