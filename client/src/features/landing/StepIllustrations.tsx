import drawing from '../../components/display/PaperDrawing.module.css'
import heroClasses from './HeroIllustration.module.css'
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

export function HeroIllustration() {
  return (
    <div
      className={heroClasses.root}
      role="img"
      aria-label="A student’s page with one answer marked. A card beside it says 3 of 5 points, and why."
    >
      <Sheet />
      <div className={heroClasses.card} aria-hidden="true">
        <div className={heroClasses.cardHead}>
          <span className={heroClasses.score}>82.5&nbsp;%</span>
          <span className={heroClasses.letter}>B-</span>
        </div>
        <div className={heroClasses.suggested}>
          <Star /> suggested · 1 of 5 to check
        </div>
        <ul className={heroClasses.rows}>
          <li>
            Chlorophyll <b>5 / 5</b>
          </li>
          <li data-chosen="true">
            <span>
              Ice floats
              <small>“Density is right; say why the molecules are apart.”</small>
            </span>
            <b>3 / 5</b>
          </li>
          <li>
            Boiling point <b>2 / 2</b>
          </li>
        </ul>
      </div>
    </div>
  )
}

function Star() {
  return (
    <svg viewBox="0 0 14 14" width="13" height="13" aria-hidden="true" className={heroClasses.star}>
      <path d="M7 .5c.8 4 2.3 5.6 6.5 6.5C9.3 8 7.8 9.5 7 13.5 6.2 9.5 4.7 8 .5 7 4.7 6 6.2 4.5 7 .5Z" />
    </svg>
  )
}

function Sheet() {
  return (
    <svg viewBox="0 0 380 470" className={`${drawing.root} ${heroClasses.sheet}`} aria-hidden="true">
      <rect x="20" y="20" width="330" height="440" rx="8" className={drawing.sheet} transform="rotate(2.5 185 240)" />
      <rect x="14" y="14" width="330" height="440" rx="8" className={drawing.sheet} />
      <path d="M44 54h128M44 74h76" className={drawing.print} />
      <path d="M270 54h44" className={drawing.print} />
      <path d="M44 118h196" className={drawing.print} />
      <path
        d="M44 146c14-8 20 7 32 0s18-6 30 0 20 5 32-1 20-6 32 1 18 5 28 0 16-5 24 0M44 170c12-7 24 6 36 0s24-6 34 0 24 6 38-1 16-4 24 0"
        className={drawing.hand}
      />
      <path d="M44 216h172" className={drawing.print} />
      <rect x="34" y="234" width="254" height="72" rx="5" className={drawing.evidence} />
      <path
        d="M46 258c14-8 22 7 34 0s20-7 32 0 20 6 34-1 22-6 34 1 20 5 32 0 12-4 24-1M46 284c12-7 24 6 36 0s22-6 34 0 24 6 40-1 20-5 32 0"
        className={drawing.hand}
      />
      <path d="M44 344h186" className={drawing.print} />
      <path d="M44 374c14-8 20 7 32 0s18-6 30 0 20 5 32-1 20-6 32 1" className={drawing.hand} />
      <path d="M44 416h120" className={drawing.print} />
    </svg>
  )
}
