import classes from './Wordmark.module.css'

export function Wordmark() {
  return (
    <span className={classes.root}>
      <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
        <rect width="32" height="32" rx="7" className={classes.ground} />
        <path
          d="M9 23.5 16 8l7 15.5M11.8 18.2h8.4"
          fill="none"
          stroke="#fff"
          strokeWidth="2.6"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      Assay
    </span>
  )
}
