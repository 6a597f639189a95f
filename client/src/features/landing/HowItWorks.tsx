import classes from './landing.module.css'
import { CreateIllustration, GradeIllustration, ReviewIllustration } from './StepIllustrations.tsx'

const steps = [
  {
    title: 'Create Assignment',
    Drawing: CreateIllustration,
    text: 'Give it the blank, your answer key and the papers. The questions and their points are read from them.',
  },
  {
    title: 'AI Grades Instantly',
    Drawing: GradeIllustration,
    text: 'Each answer is laid against your key and the class. Choices and numbers are exact; for words you get a suggestion, and how sure it is.',
  },
  {
    title: 'Review & Refine',
    Drawing: ReviewIllustration,
    text: 'Start with what is flagged. Change what you want, then publish. No student sees anything before.',
  },
]

export function HowItWorks() {
  return (
    <section className={classes.band} aria-labelledby="how">
      <div className={classes.inner}>
        <h2 id="how" className={classes.title}>
          How It Works
        </h2>
        <ol className={classes.steps}>
          {steps.map(({ title, Drawing, text }, index) => (
            <li key={title}>
              <Drawing />
              <h3>
                <span className={classes.number}>{index + 1}</span> {title}
              </h3>
              <p>{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
