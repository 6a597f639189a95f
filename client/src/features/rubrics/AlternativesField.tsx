import { Button, Textarea } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import classes from './Fields.module.css'
import { IconButton } from './IconButton.tsx'
import { type DraftErrors, replaced, without } from './rubric-draft.ts'

/** Other answers worth the full points, one a line. */
export function AlternativesField(props: {
  of: string
  alternatives: string[]
  change: (alternatives: string[]) => void
  errors: DraftErrors
  at: string
}) {
  const { of, alternatives, change, errors, at } = props
  const list = useRef<HTMLFieldSetElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (!added.current) return
    added.current = false
    ;[...(list.current?.querySelectorAll('textarea') ?? [])].at(-1)?.focus()
  })
  return (
    <fieldset className={classes.list} ref={list} aria-label={`Also accepted, ${of}`}>
      <legend>Also accepted</legend>
      {alternatives.map((answer, i) => (
        // Answers have no names of their own; a row keeps its place while it is written.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div className={classes.row} key={i}>
          <Textarea
            aria-label={`Accepted answer ${i + 1}, ${of}`}
            value={answer}
            autosize
            minRows={1}
            maxRows={8}
            error={errors[`${at}.${i}`]}
            onChange={(event) => change(replaced(alternatives, i, event.currentTarget.value))}
          />
          <IconButton
            label={`Remove accepted answer ${i + 1}, ${of}`}
            Icon={IconX}
            onClick={() => change(without(alternatives, i))}
          />
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          aria-label={`Add an accepted answer, ${of}`}
          onClick={() => {
            added.current = true
            change([...alternatives, ''])
          }}
        >
          Add an accepted answer
        </Button>
      </div>
    </fieldset>
  )
}
