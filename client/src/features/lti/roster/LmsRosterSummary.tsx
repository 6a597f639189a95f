import { listLmsCourses } from '@assay/shared/lti/lti-roster.ts'
import { Link } from 'react-router-dom'
import { useGet } from '../../../lib/api/api-hooks.ts'
import classes from './LmsRosterPanel.module.css'
import { lmsCourseName, rosterReportMessage } from './roster-report-messages.ts'

export function LmsRosterSummary({ courseId }: { courseId: number }) {
  const lms = useGet(listLmsCourses, { courseId })
  if (!lms.data || lms.data.length === 0) return null
  return (
    <ul className={classes.line} aria-label="LMS courses">
      {lms.data.map((one) => (
        <li key={one.id}>
          From <Link to={`/courses/${courseId}/roster`}>{lmsCourseName(one)}</Link> · {rosterReportMessage(one)}
        </li>
      ))}
    </ul>
  )
}
