import type { LinkableAssignment } from '@assay/shared/lti/lti-deep-linking.ts'
import { Checkbox, Radio } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { formatDate, formatDateTime, plural } from '../../../lib/format.ts'
import classes from './Choose.module.css'

interface Props {
  assignment: LinkableAssignment
  several: boolean
  chosen: boolean
  choose: (on: boolean) => void
  disabled: boolean
}

/** The whole row can be pressed: it is the label of its box. */
export function ChoiceRow({ assignment, several, chosen, choose, disabled }: Props) {
  const { id, title } = assignment
  const Box = several ? Checkbox : Radio
  return (
    <li className={classes.row} data-chosen={chosen || undefined}>
      <Box
        name="assignment"
        value={String(id)}
        checked={chosen}
        onChange={(event) => choose(event.currentTarget.checked)}
        disabled={disabled}
        classNames={{
          root: classes.box,
          body: classes.body,
          labelWrapper: classes.words,
          label: classes.label,
        }}
        label={
          <>
            <span className={classes.title}>{title}</span>
            <Facts assignment={assignment} />
          </>
        }
      />
    </li>
  )
}

function Facts({ assignment: { status, points, due_at, linked, added_at } }: { assignment: LinkableAssignment }) {
  return (
    <span className={classes.facts}>
      <StatusBadge status={status} />
      {points !== null && <span>{plural(points, 'point')}</span>}
      {due_at && (
        <span>
          Due <time dateTime={due_at}>{formatDateTime(due_at)}</time>
        </span>
      )}
      {(linked || added_at) && (
        <span className={classes.linked}>
          <IconLink size={15} aria-hidden />
          {linked || !added_at ? 'Linked in this course' : `Added ${formatDate(added_at)}, not opened yet`}
        </span>
      )}
    </span>
  )
}
