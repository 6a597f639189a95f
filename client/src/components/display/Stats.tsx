import classes from './Stats.module.css'

export interface Stat {
  label: string
  value: string
  note?: string
}

export function Stats({ stats, label }: { stats: Stat[]; label: string }) {
  return (
    <dl className={classes.grid} aria-label={label}>
      {stats.map((stat) => (
        <div key={stat.label} className={classes.stat}>
          <dt className="hint">{stat.label}</dt>
          <dd className={classes.value}>{stat.value}</dd>
          {stat.note && <dd className="hint">{stat.note}</dd>}
        </div>
      ))}
    </dl>
  )
}
