import type { Criterion, Level, Question } from '@assay/shared/rubrics.ts'
import { Button, Textarea } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconKey, IconPlus, IconTrash, IconX } from '@tabler/icons-react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { useRubricPapers } from '../papers/rubric-papers.tsx'
import { type DraftErrors, removeItem, replaceItem } from '../rubric-draft.ts'
import classes from './CriterionFields.module.css'
import fieldsClasses from './Fields.module.css'
import { IconButton } from './IconButton.tsx'
import { RubricPointsField } from './RubricPointsField.tsx'
import { useRowFocus } from './useRowFocus.ts'

interface Props {
  question: Question
  criterion: Criterion
  /** Its place among its question's, from 0, and how many there are. */
  index: number
  count: number
  change: (criterion: Criterion) => void
  move: (to: number) => void
  remove: () => void
  errors: DraftErrors
  /** Where its errors stand: `questions.2.criteria.0`. */
  at: string
}

export function CriterionFields({ question, criterion, index, count, change, move, remove, errors, at }: Props) {
  const name = `criterion ${index + 1}`
  const { pickExpected } = useRubricPapers()
  const set = (part: Partial<Criterion>) => change({ ...criterion, ...part })
  return (
    <fieldset className={classes.root} aria-label={`Criterion ${index + 1}`}>
      {count > 1 && (
        <div className={classes.head}>
          <h4>Criterion {index + 1}</h4>
          <IconButton
            label={`Move ${name} up`}
            focusName={`up-${criterion.id}`}
            Icon={IconArrowUp}
            disabled={index === 0}
            onClick={() => move(index - 1)}
          />
          <IconButton
            label={`Move ${name} down`}
            focusName={`down-${criterion.id}`}
            Icon={IconArrowDown}
            disabled={index === count - 1}
            onClick={() => move(index + 1)}
          />
          <IconButton
            label={`Remove ${name}`}
            focusName={`remove-criterion-${criterion.id}`}
            Icon={IconTrash}
            onClick={remove}
          />
        </div>
      )}
      <div className={classes.top}>
        <RubricPointsField
          label="Points"
          focusName={`points-${criterion.id}`}
          points={criterion.points}
          change={(points) => set({ points })}
          error={errors[`${at}.points`]}
        />
        <Textarea
          className={classes.text}
          label="Criterion"
          value={criterion.text}
          autosize
          minRows={1}
          maxRows={6}
          error={errors[`${at}.text`]}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
      </div>
      <Textarea
        label="Expected answer"
        data-focus={`expected-${criterion.id}`}
        value={criterion.expected}
        autosize
        minRows={1}
        maxRows={10}
        error={errors[`${at}.expected`]}
        onChange={(event) => set({ expected: event.currentTarget.value })}
      />
      <div>
        <Button
          variant="subtle"
          leftSection={<IconKey size={16} aria-hidden />}
          aria-label={`Pick from the key, ${name}`}
          onClick={() => pickExpected(question, criterion.id)}
        >
          Pick from the key
        </Button>
      </div>
      <AlternativesField
        of={name}
        alternatives={criterion.alternatives}
        change={(alternatives) => set({ alternatives })}
        errors={errors}
        at={`${at}.alternatives`}
      />
      <LevelsField
        of={name}
        levels={criterion.levels ?? []}
        points={criterion.points}
        change={(levels) => set({ levels })}
        errors={errors}
        at={`${at}.levels`}
      />
    </fieldset>
  )
}

function AlternativesField(props: {
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
    <fieldset className={fieldsClasses.list} ref={root} aria-label={`Also accepted, ${of}`}>
      <legend>Also accepted</legend>
      {alternatives.map((answer, i) => (
        // Answers have no ids; the index is stable while a row is edited.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div className={fieldsClasses.row} key={i}>
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

/** Highest first. Without any level, every share of the points may be given. */
function LevelsField(props: {
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
    <fieldset className={fieldsClasses.list} ref={root} aria-label={`Levels, ${of}`}>
      <legend>Levels of partial credit</legend>
      {levels.length === 0 && <p className={fieldsClasses.hint}>None. Any number of points can be given.</p>}
      {levels.map((level, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: levels have no names of their own
        <div className={fieldsClasses.row} key={i}>
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
