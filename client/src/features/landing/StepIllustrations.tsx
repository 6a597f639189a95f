import drawing from '../../components/display/PaperDrawing.module.css'
import classes from './StepIllustrations.module.css'

export function CreateIllustration() {
  return (
    <svg viewBox="0 0 260 150" className={`${drawing.root} ${classes.root}`} aria-hidden="true">
      <rect x="22" y="34" width="66" height="88" rx="5" className={drawing.sheet} />
      <path d="M34 52h34M34 66h42M34 88h30" className={drawing.print} />
      <rect x="98" y="24" width="66" height="88" rx="5" className={classes.key} />
      <path d="M110 42h34M110 56h42M110 78h30" className={drawing.print} />
      <path d="M112 92l6 6 12-13" className={drawing.tick} />
      <rect x="182" y="42" width="62" height="84" rx="5" className={drawing.sheet} transform="rotate(5 213 84)" />
      <rect x="176" y="36" width="62" height="84" rx="5" className={drawing.sheet} />
      <path d="M188 54h28" className={drawing.print} />
      <path d="M188 72c8-5 12 5 20 0s12-4 20 0M188 88c8-5 12 5 20 0s8-3 12 0" className={drawing.hand} />
    </svg>
  )
}

export function GradeIllustration() {
  return (
    <svg viewBox="0 0 260 150" className={`${drawing.root} ${classes.root}`} aria-hidden="true">
      <rect x="26" y="24" width="96" height="108" rx="5" className={drawing.sheet} />
      <rect x="36" y="58" width="76" height="30" rx="3" className={drawing.evidence} />
      <path d="M38 42h50M38 108h62" className={drawing.print} />
      <path d="M42 74c8-5 12 5 20 0s12-4 20 0 12 4 20 0" className={drawing.hand} />
      <path d="M112 73h36" className={drawing.link} />
      <rect x="148" y="42" width="86" height="62" rx="7" className={classes.key} />
      <path
        d="M168 54c1.2 6 3.5 8.5 10 10-6.5 1.5-8.8 4-10 10-1.2-6-3.5-8.5-10-10 6.5-1.5 8.8-4 10-10Z"
        className={drawing.star}
      />
      <path d="M188 64h32" className={drawing.starLine} />
      <path d="M160 88h60" className={drawing.print} />
    </svg>
  )
}

export function ReviewIllustration() {
  return (
    <svg viewBox="0 0 260 150" className={`${drawing.root} ${classes.root}`} aria-hidden="true">
      <rect x="40" y="26" width="150" height="102" rx="8" className={drawing.sheet} />
      <path d="M58 50h66M58 72h104M58 90h84M58 108h94" className={drawing.print} />
      <path d="M150 44h22M150 56h22" className={drawing.starLine} />
      <path d="M184 106l34-50 14 10-34 50-17 6z" className={classes.pen} />
      <path d="M211 66l14 10" className={drawing.link} />
      <path d="M150 118c8-5 14 4 22 0" className={drawing.link} />
    </svg>
  )
}
