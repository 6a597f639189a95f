import { IconBuilding, IconChalkboard, IconSchool } from '@tabler/icons-react'
import classes from './landing.module.css'

const audiences = [
  {
    title: 'For Instructors',
    Icon: IconChalkboard,
    lead: 'A shorter stack, and you stay in control.',
    points: [
      'Upload blank, answer key and papers as PDF, typed or scanned.',
      'Check each suggestion against the highlighted evidence instead of rereading the paper.',
      'Override any score, add your own feedback, and publish when you are ready.',
      'Export every grade as CSV.',
    ],
  },
  {
    title: 'For Students',
    Icon: IconSchool,
    lead: 'A grade you can follow, next to your paper.',
    points: [
      'Points and feedback for each question, once your teacher has released them.',
      'The AI’s suggestion and your teacher’s decision, shown separately.',
      'Courses, assignments and grades in one place, on your phone too.',
      'Only the teachers of the course see your work.',
    ],
  },
  {
    title: 'For Institutions',
    Icon: IconBuilding,
    lead: 'On your own server, under your own rules.',
    points: [
      'The built-in grader needs no API key and no network: papers stay on your server.',
      'Rosters from a CSV file, email invitations, accounts under your control.',
      'A documented OpenAPI interface for connecting your own systems.',
      'An audit log records every change to a grade, role or course.',
    ],
  },
]

export function Audiences() {
  return (
    <section className={classes.section} aria-labelledby="audiences">
      <h2 id="audiences" className={classes.title}>
        One paper, three points of view
      </h2>
      <div className={classes.columns}>
        {audiences.map(({ title, Icon, lead, points }) => (
          <article key={title} className={classes.card}>
            <Icon size={26} stroke={1.5} className={classes.icon} aria-hidden />
            <h3>{title}</h3>
            <p className={classes.cardLead}>{lead}</p>
            <ul className={classes.points}>
              {points.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </article>
        ))}
      </div>
    </section>
  )
}
