import { AiIcon } from '../../components/display/Attribution.tsx'
import classes from './AiDisclosureNote.module.css'

/** Said wherever a student reads grades: who helped, who decides, how to have a person look again; `here` where that is asked. */
export function AiDisclosureNote({ here = false }: { here?: boolean }) {
  return (
    <p className={classes.root} role="note">
      <AiIcon size={16} />
      <span>
        AI helped grade this work, and your instructor decides. Something looks wrong?{' '}
        {here ? 'Ask for another look above.' : 'Ask for another look under View Details.'}
      </span>
    </p>
  )
}
