import { Button, Textarea } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { type DraftErrors, removeItem, replaceItem } from '../rubric-draft.ts'
import classes from './Fields.module.css'
import { IconButton } from './IconButton.tsx'
import { useRowFocus } from './useRowFocus.ts'

/** Other answers worth the full points, one a line. */
export function AlternativesField(props: {
  of: string
  alternatives: string[]
  change: (alternatives: string[]) => void
  errors: DraftErrors
  at: string
}) {
  const { of, alternatives, change, errors, at } = props
  const { root, focusNext } = useRowFocus<HTMLFieldSetElement>()
  const announce = useAnnounce()
  return (
    <fieldset className={classes.list} ref={root} aria-label={`Also accepted, ${of}`}>
      <legend>Also accepted</legend>
      {alternatives.map((answer, i) => (
        // Answers have no ids; the index is stable while a row is edited.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div className={classes.row} key={i}>
          <Textarea
            aria-label={`Accepted answer ${i + 1}, ${of}`}
            data-focus={`answer-${i}`}
            value={answer}
            autosize
            minRows={1}
            maxRows={8}
            error={errors[`${at}.${i}`]}
            onChange={(event) => change(replaceItem(alternatives, i, event.currentTarget.value))}
          />
          <IconButton
            label={`Remove accepted answer ${i + 1}, ${of}`}
            Icon={IconX}
            focusName={`remove-${i}`}
            onClick={() => {
              focusNext(`remove-${i}`, `remove-${i - 1}`, 'add')
              announce(`Accepted answer ${i + 1} removed.`)
              change(removeItem(alternatives, i))
            }}
          />
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-label={`Add an accepted answer, ${of}`}
          data-focus="add"
          onClick={() => {
            focusNext(`answer-${alternatives.length}`)
            change([...alternatives, ''])
          }}
        >
          Add an accepted answer
        </Button>
      </div>
    </fieldset>
  )
}
