import classes from './HeroIllustration.module.css'

/** The review, drawn: the student's page, one answer marked, and the card that points at it. */
export function HeroIllustration() {
  return (
    <div
      className={classes.root}
      role="img"
      aria-label="A student’s page with one answer marked. A card beside it says 3 of 5 points, and why."
    >
      <Sheet />
      <div className={classes.card} aria-hidden="true">
        <div className={classes.cardHead}>
          <span className={classes.score}>82.5&nbsp;%</span>
          <span className={classes.letter}>B-</span>
        </div>
        <div className={classes.suggested}>
          <Star /> suggested · sure of 4 of 5
        </div>
        <ul className={classes.rows}>
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
    <svg viewBox="0 0 14 14" width="13" height="13" aria-hidden="true" className={classes.star}>
      <path d="M7 .5c.8 4 2.3 5.6 6.5 6.5C9.3 8 7.8 9.5 7 13.5 6.2 9.5 4.7 8 .5 7 4.7 6 6.2 4.5 7 .5Z" />
    </svg>
  )
}

function Sheet() {
  return (
    <svg viewBox="0 0 380 470" className={classes.sheet} aria-hidden="true">
      <rect x="20" y="20" width="330" height="440" rx="8" className={classes.under} transform="rotate(2.5 185 240)" />
      <rect x="14" y="14" width="330" height="440" rx="8" className={classes.page} />
      <path d="M44 54h128M44 74h76" className={classes.print} />
      <path d="M270 54h44" className={classes.print} />
      <path d="M44 118h196" className={classes.print} />
      <path
        d="M44 146c14-8 20 7 32 0s18-6 30 0 20 5 32-1 20-6 32 1 18 5 28 0 16-5 24 0M44 170c12-7 24 6 36 0s24-6 34 0 24 6 38-1 16-4 24 0"
        className={classes.hand}
      />
      <path d="M44 216h172" className={classes.print} />
      <rect x="34" y="234" width="254" height="72" rx="5" className={classes.evidence} />
      <path
        d="M46 258c14-8 22 7 34 0s20-7 32 0 20 6 34-1 22-6 34 1 20 5 32 0 12-4 24-1M46 284c12-7 24 6 36 0s22-6 34 0 24 6 40-1 20-5 32 0"
        className={classes.hand}
      />
      <path d="M44 344h186" className={classes.print} />
      <path d="M44 374c14-8 20 7 32 0s18-6 30 0 20 5 32-1 20-6 32 1" className={classes.hand} />
      <path d="M44 416h120" className={classes.print} />
    </svg>
  )
}
