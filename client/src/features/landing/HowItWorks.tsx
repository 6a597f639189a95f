import classes from './landing.module.css'
import { CreateIllustration, GradeIllustration, ReviewIllustration } from './StepIllustrations.tsx'

const steps = [
  {
    title: 'Create Assignment',
    Drawing: CreateIllustration,
    text: 'Upload the blank assignment, your answer key and the papers. Assay reads the questions and points from them.',
  },
  {
    title: 'AI Grades Instantly',
    Drawing: GradeIllustration,
    text: 'Each answer is compared with your key and the class. Multiple choice and numbers are graded exactly; written answers get a suggestion with a confidence level.',
  },
  {
    title: 'Review & Refine',
    Drawing: ReviewIllustration,
    text: 'Start with flagged papers, change what you want, then publish. Students see nothing until then.',
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
