import classes from './Attribution.module.css'

export function AiIcon({ size = 14 }: { size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} className={classes.ai} aria-hidden="true">
      <path d="M8 1.8c.7 3.6 2 5 5.9 6.2C10 9.2 8.7 10.6 8 14.2 7.3 10.6 6 9.2 2.1 8 6 6.8 7.3 5.4 8 1.8Z" />
    </svg>
  )
}

export function TeacherIcon({ size = 14 }: { size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} className={classes.teacher} aria-hidden="true">
      <path d="m2.2 13.8.9-3.7 7.5-7.5a1.6 1.6 0 0 1 2.3 0l.5.5a1.6 1.6 0 0 1 0 2.3l-7.5 7.5ZM9.4 3.8l2.8 2.8" />
    </svg>
  )
}

export function Attribution({ who, children }: { who: 'ai' | 'teacher'; children?: string }) {
  return (
    <span className={classes.root} data-who={who}>
      {who === 'ai' ? <AiIcon /> : <TeacherIcon />}
      {children ?? (who === 'ai' ? 'suggested' : 'by teacher')}
    </span>
  )
}
