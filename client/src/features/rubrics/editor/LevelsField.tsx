import type { Level } from '@assay/shared/rubrics.ts'
import { Button, Textarea } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { type DraftErrors, removeItem, replaceItem } from '../rubric-draft.ts'
import classes from './Fields.module.css'
import { IconButton } from './IconButton.tsx'
import { RubricPointsField } from './RubricPointsField.tsx'
import { useRowFocus } from './useRowFocus.ts'

/** Steps of partial credit, highest first. Without any, every share of the points may be given. */
export function LevelsField(props: {
  of: string
  levels: Level[]
  points: number
  change: (levels: Level[]) => void
  errors: DraftErrors
  at: string
}) {
  const { of, levels, points, change, errors, at } = props
  const { root, focusNext } = useRowFocus<HTMLFieldSetElement>()
  const announce = useAnnounce()
  const last = levels.at(-1)
  const next = last ? Math.max(0, Math.floor(last.points / 2)) : points
  return (
    <fieldset className={classes.list} ref={root} aria-label={`Levels, ${of}`}>
      <legend>Levels of partial credit</legend>
      {levels.length === 0 && <p className={classes.hint}>None. Any number of points can be given.</p>}
      {levels.map((level, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: levels have no names of their own
        <div className={classes.row} key={i}>
          <RubricPointsField
            label={`Level ${i + 1}: points`}
            focusName={`level-${i}`}
            points={level.points}
            change={(worth) => change(replaceItem(levels, i, { ...level, points: worth }))}
            error={errors[`${at}.${i}.points`]}
          />
          <Textarea
            label={`Level ${i + 1}: what an answer must have`}
            value={level.text}
            autosize
            minRows={1}
            maxRows={6}
            error={errors[`${at}.${i}.text`]}
            onChange={(event) => change(replaceItem(levels, i, { ...level, text: event.currentTarget.value }))}
          />
          <IconButton
            label={`Remove level ${i + 1}, ${of}`}
            Icon={IconX}
            focusName={`remove-${i}`}
            onClick={() => {
              focusNext(`remove-${i}`, `remove-${i - 1}`, 'add')
              announce(`Level ${i + 1} removed.`)
              change(removeItem(levels, i))
            }}
          />
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-label={`Add a level, ${of}`}
          data-focus="add"
          onClick={() => {
            focusNext(`level-${levels.length}`)
            change([...levels, { points: next, text: '' }])
          }}
        >
          Add a level
        </Button>
      </div>
    </fieldset>
  )
}
