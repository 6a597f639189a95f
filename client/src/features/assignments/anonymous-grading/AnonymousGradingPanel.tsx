import type { Assignment } from '@assay/shared/assignments.ts'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { useAttempt } from '../../../lib/api/useAttempt.ts'
import { formatDateTime } from '../../../lib/format.ts'
import classes from './AnonymousGradingPanel.module.css'
import { ShowNamesModal, useNamesHidden } from './ShowNamesModal.tsx'

interface Props {
  assignment: Assignment
  changed: (assignment: Assignment) => void
}

/** The switch takes effect at once, apart from the form's changes. */
export function AnonymousGradingPanel({ assignment, changed }: Props) {
  const { setHidden, sending } = useNamesHidden(assignment)
  const [asking, setAsking] = useState(false)
  const { attempt, failure } = useAttempt('Names could not be hidden.')
  const { names_hidden = false, times_shown = 0, last_shown = null } = assignment.anonymous ?? {}

  const hide = () => attempt(async () => changed(await setHidden(true)))

  return (
    <Panel title="Anonymous grading">
      <div className={classes.root}>
        <Switch
          label="Hide names while grading"
          description="Graders see “Paper 417” instead of names, usernames and file names. Names on pages are covered. Students still see their own work."
          checked={names_hidden}
          disabled={sending}
          onChange={(event) => (event.currentTarget.checked ? void hide() : setAsking(true))}
        />
        {last_shown && (
          <p className={classes.shown}>
            {times_shown === 1 ? 'Names were shown once' : `Names were shown ${times_shown} times, last`} by{' '}
            {last_shown.by_name} on <time dateTime={last_shown.at}>{formatDateTime(last_shown.at)}</time>.
          </p>
        )}
        {failure && <Notice tone="bad">{failure}</Notice>}
      </div>
      <ShowNamesModal assignment={assignment} opened={asking} close={() => setAsking(false)} shown={changed} />
    </Panel>
  )
}
