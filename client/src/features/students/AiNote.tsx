import { AiMark } from '../../components/SaidBy.tsx'
import classes from './AiNote.module.css'

/** Said wherever a student reads grades: who helped, who decides, whom to ask. */
export function AiNote() {
  return (
    <p className={classes.root} role="note">
      <AiMark size={16} />
      <span>
        AI helped grade this work, and your instructor decides. Something looks wrong? Ask for another look
        under View Details.
      </span>
    </p>
  )
}
