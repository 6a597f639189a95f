import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import classes from './RubricCheckedLink.module.css'

export function RubricCheckedLink({ assignmentId }: { assignmentId: number }) {
  return (
    <Link className={classes.root} to={`/assignments/${assignmentId}/rubric`}>
      <IconCircleCheck size={16} aria-hidden />
      Rubric checked
    </Link>
  )
}
