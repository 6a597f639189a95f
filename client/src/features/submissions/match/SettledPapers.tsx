import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { StatusMark } from '../../../components/StatusMark.tsx'
import classes from './MatchList.module.css'
import { calledBy } from './PaperToMatch.tsx'
import type { Settled } from './useMatching.ts'

interface Props {
  settled: readonly Settled[]
  list: string
  busy: boolean
  undo: (one: Settled) => void
}

/** What was decided on this screen, while it can be taken back at a glance. */
export function SettledPapers({ settled, list, busy, undo }: Props) {
  return (
    <section aria-label="Settled just now" className={classes.settled}>
      {settled.length > 0 && <h2 className={classes.title}>Settled just now</h2>}
      <ul aria-live="polite">
        {settled.map((one) => {
          const { submission } = one.paper
          return (
            <li key={submission.id}>
              <StatusMark status="graded">{calledBy(one.student)}</StatusMark>
              <Link to={`${list}/${submission.id}`}>{submission.file_name}</Link>
              {one.others.length > 0 && (
                <span className={classes.facts}>
                  has another paper too: {one.others.map((id) => `#${id}`).join(', ')}
                </span>
              )}
              <Button
                variant="subtle"
                disabled={busy}
                aria-label={`Undo for ${submission.file_name}`}
                onClick={() => undo(one)}
              >
                Undo
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
