import { AiIcon } from '../../components/display/Attribution.tsx'
import classes from './AiDisclosureNote.module.css'

export function AiDisclosureNote({ here = false }: { here?: boolean }) {
  return (
    <p className={classes.root} role="note">
      <AiIcon size={16} />
      <span>
        This work was graded with the help of AI; your instructor decides. Does something look wrong?{' '}
        {here ? 'Request a regrade above.' : 'Request a regrade under View Details.'}
      </span>
    </p>
  )
}
