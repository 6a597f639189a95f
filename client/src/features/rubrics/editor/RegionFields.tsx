import type { AnswerRegion, Question } from '@assay/shared/rubrics.ts'
import { Button, TextInput } from '@mantine/core'
import { IconPencil, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { useRubricPapers } from '../papers/rubric-papers.tsx'
import { type DraftErrors, removeItem, replaceItem } from '../rubric-draft.ts'
import fields from './Fields.module.css'
import { IconButton } from './IconButton.tsx'
import classes from './RegionFields.module.css'

const MM_PER_POINT = 25.4 / 72

/** An area of usual size near the top of the first page, to be moved by its numbers; in points. */
const FIRST_AREA: AnswerRegion = { page: 1, box: { x: 57, y: 142, width: 482, height: 85 }, drawn: true }

interface Props {
  question: Question
  change: (regions: AnswerRegion[]) => void
  errors: DraftErrors
  /** Where its errors stand: `questions.2.regions`. */
  at: string
}

export function RegionFields({ question, change, errors, at }: Props) {
  const { regions } = question
  const { drawRegion } = useRubricPapers()
  const announce = useAnnounce()
  return (
    <fieldset className={fields.list} aria-label="Answer areas">
      <legend>Answer area on the blank</legend>
      {regions.map((region, i) => (
        // Areas have no names of their own, and keep their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div className={classes.row} key={i}>
          <MillimetreFields
            name={`answer area ${i + 1}`}
            region={region}
            change={(next) => change(replaceItem(regions, i, next))}
            errors={errors}
            at={`${at}.${i}`}
          />
          <IconButton
            label={`Remove answer area ${i + 1}`}
            Icon={IconX}
            onClick={() => {
              announce(`Answer area ${i + 1} removed.`)
              change(removeItem(regions, i))
            }}
          />
        </div>
      ))}
      <div className={classes.buttons}>
        <Button
          variant="subtle"
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() => drawRegion(question)}
        >
          Draw on the page
        </Button>
        {regions.length === 0 && (
          <Button variant="subtle" onClick={() => change([FIRST_AREA])}>
            Enter the position
          </Button>
        )}
      </div>
    </fieldset>
  )
}

const sides = [
  ['x', 'Left'],
  ['y', 'Top'],
  ['width', 'Width'],
  ['height', 'Height'],
] as const

interface MillimetreFieldsProps {
  name: string
  region: AnswerRegion
  change: (region: AnswerRegion) => void
  errors: DraftErrors
  at: string
}

function MillimetreFields({ name, region, change, errors, at }: MillimetreFieldsProps) {
  const { page, box } = region
  const { blankPages } = useRubricPapers()
  const drawn = true as const
  return (
    <div className={classes.numbers}>
      <NumberField
        label="Page"
        name={name}
        value={page}
        least={1}
        most={blankPages ?? undefined}
        error={errors[`${at}.page`]}
        change={(next) => change({ page: next, box, drawn })}
      />
      {sides.map(([side, label]) => (
        <NumberField
          key={side}
          label={`${label} (mm)`}
          name={name}
          value={box[side] * MM_PER_POINT}
          least={side === 'width' || side === 'height' ? 1 : 0}
          error={errors[`${at}.box.${side}`]}
          change={(mm) => change({ page, box: { ...box, [side]: mm / MM_PER_POINT }, drawn })}
        />
      ))}
    </div>
  )
}

interface NumberFieldProps {
  label: string
  name: string
  value: number
  least: number
  /** Of a page: so many the blank has. */
  most?: number | undefined
  error: string | undefined
  change: (value: number) => void
}

const parseNumber = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')))

/** Shown whole; the arrow keys count it up and down. What is typed stays, with its error beside it. */
function NumberField({ label, name, value, least, most, error, change }: NumberFieldProps) {
  const [typed, setTyped] = useState('')
  const meant = parseNumber(typed)
  const isTyped = Number.isNaN(value) ? Number.isNaN(meant) : Math.abs(meant - value) < 1e-6
  const shown = Number.isNaN(value) ? '' : String(Math.round(value))
  return (
    <TextInput
      size="xs"
      label={label}
      aria-label={`${label}, ${name}`}
      inputMode="decimal"
      value={isTyped ? typed : shown}
      error={!(value >= least) ? `At least ${least}` : most !== undefined && value > most ? `At most ${most}` : error}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        change(parseNumber(text))
      }}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
        if (step === 0) return
        event.preventDefault()
        const next = Math.max(least, Math.round(Number.isNaN(value) ? least : value) + step)
        change(Math.min(next, most ?? next))
      }}
    />
  )
}
