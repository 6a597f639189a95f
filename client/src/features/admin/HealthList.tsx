import type { Health } from '@assay/shared/admin.ts'
import { StatusBadge } from '../../components/display/StatusBadge.tsx'
import { PanelList } from '../../components/layout/Panel.tsx'
import classes from './HealthList.module.css'

const names: Record<Health['part'], string> = {
  database: 'Database',
  papers: 'Paper reader',
  grader: 'AI grader',
  queue: 'Job queue',
  mail: 'Mail',
  disk: 'Disk',
  redis: 'Redis',
}

const states = {
  good: { status: 'graded', word: 'Healthy' },
  warn: { status: 'flagged', word: 'Needs attention' },
  bad: { status: 'failed', word: 'Failing' },
} as const

/** Each part, how it is and why one thinks so. */
export function HealthList({ health }: { health: Health[] }) {
  return (
    <PanelList label="System health">
      {health.map(({ part, state, detail }) => (
        <li key={part}>
          <div className={classes.words}>
            <span className={classes.name}>{names[part]}</span>
            <span className={classes.detail}>{detail}</span>
          </div>
          <StatusBadge status={states[state].status}>{states[state].word}</StatusBadge>
        </li>
      ))}
    </PanelList>
  )
}
