import { IconEye, IconFlag, IconLock, IconRefresh } from '@tabler/icons-react'
import classes from './landing.module.css'

const reasons = [
  {
    Icon: IconEye,
    title: 'The evidence is on the page',
    text: 'Select a criterion to highlight its evidence on the student’s paper.',
  },
  {
    Icon: IconFlag,
    title: 'It says when it is not sure',
    text: 'Poor handwriting, a missing answer or instructions to the grader are flagged, with the reason.',
  },
  {
    Icon: IconLock,
    title: 'Papers stay with you',
    text: 'The built-in grader runs on the same server as Assay. Papers never leave it.',
  },
  {
    Icon: IconRefresh,
    title: 'It does not lose work',
    text: 'In a test, we kill it five times during a run of 50 papers. Each paper is still graded exactly once.',
  },
]

/** Pearson's r with human scores, each set's constants chosen without it, as `docs/grading.md` has it. */
const figures = [
  { value: '.63', what: 'Beetle', about: 'electricity, short answers' },
  { value: '.55', what: 'SciEntsBank', about: 'school science' },
  { value: '.50', what: 'SAF', about: 'university networking' },
]

export function WhyAssay() {
  return (
    <section className={classes.section} aria-labelledby="why">
      <h2 id="why" className={classes.title}>
        Why choose Assay
      </h2>
      <ul className={classes.reasons}>
        {reasons.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon size={22} stroke={1.6} className={classes.icon} aria-hidden />
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      <figure className={classes.measured}>
        <figcaption>
          <strong>Measured, not promised.</strong> How well the built-in grader’s scores for short answers match
          people’s on three public data sets, each with weights chosen on the other two (Pearson’s r; 1 is perfect).
          Good enough to suggest. You decide.
        </figcaption>
        <dl className={classes.figures}>
          {figures.map(({ value, what, about }) => (
            <div key={what}>
              <dd>{value}</dd>
              <dt>
                {what} <small>{about}</small>
              </dt>
            </div>
          ))}
        </dl>
      </figure>
    </section>
  )
}
