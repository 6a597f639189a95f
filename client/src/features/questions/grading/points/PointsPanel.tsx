import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import type { Criterion } from '@assay/shared/rubrics.ts'
import { ActionIcon, Button, Menu, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconDots, IconMinus, IconPencilOff, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { AiIcon } from '../../../../components/display/Attribution.tsx'
import { SecondaryButton, SubtleButton } from '../../../../components/display/buttons.tsx'
import { formatPoints, plural } from '../../../../lib/format.ts'
import { useToastsAbove } from '../../../../lib/hooks/useToastsAbove.ts'
import { parseScore } from '../../../grades/grade-form.ts'
import { ADD_ITEM_KEY } from '../../../grades/item-words.ts'
import { ItemList } from '../items/ItemList.tsx'
import type { ItemPanel } from '../items/useItemPanel.ts'
import {
  columnsFor,
  draftError,
  type PointsDraft,
  pointSteps,
  pointsOfDraft,
  stepDraft,
  toggleDraft,
} from '../points-draft.ts'
import classes from './PointsPanel.module.css'

interface Props {
  question: QuestionToGrade['question']
  answers: readonly QuestionAnswer[]
  items: ItemPanel
  targetWords: string
  draft: PointsDraft
  setDraft: (draft: PointsDraft) => void
  activeCriterion: number
  activateCriterion: (index: number) => void
  give: (draft: PointsDraft) => void
  next: (() => void) | null
  suggestion: string | null
  accept: () => void
  withdraw: (() => void) | null
  chooseUp: (() => void) | null
  chooseDown: (() => void) | null
}

export function PointsPanel(props: Props) {
  const { question, targetWords, draft, setDraft, give, suggestion, accept, withdraw, chooseUp, chooseDown } = props
  const { answers, items, next } = props
  const { criteria } = question
  const [only] = criteria
  const points = pointsOfDraft(draft, criteria)
  const panel = useRef<HTMLElement>(null)
  useToastsAbove(panel)
  const sum = points && Object.values(points).reduce((total, one) => total + one, 0)
  return (
    <section ref={panel} className={classes.root} aria-label="Points">
      <p className={classes.target}>{targetWords}</p>
      {criteria.length === 1 && only ? (
        <>
          <OneCriterionPoints criterion={only} draft={draft} setDraft={setDraft} give={give} />
          <ItemList criterionId={only.id} label="Rubric items" panel={items} answers={answers} />
        </>
      ) : (
        <ul className={classes.criteria}>
          {criteria.map((criterion, index) => (
            <CriterionPointsRow
              key={criterion.id}
              criterion={criterion}
              number={index + 1}
              active={index === props.activeCriterion}
              activate={() => props.activateCriterion(index)}
              draft={draft}
              setDraft={setDraft}
              give={() => give(draft)}
            >
              <ItemList
                criterionId={criterion.id}
                label={`Rubric items of “${criterion.text}”`}
                panel={items}
                answers={answers}
              />
            </CriterionPointsRow>
          ))}
        </ul>
      )}
      <SubtleButton
        size="compact-sm"
        className={classes.addItem}
        leftSection={<IconPlus size={16} aria-hidden />}
        rightSection={<kbd>{ADD_ITEM_KEY}</kbd>}
        aria-keyshortcuts={ADD_ITEM_KEY}
        onClick={() => items.add(criteria[props.activeCriterion]?.id ?? only?.id ?? '')}
      >
        Add a rubric item
      </SubtleButton>
      <div className={classes.buttons}>
        <Button
          className={classes.give}
          disabled={sum === null && !next}
          aria-keyshortcuts="Enter"
          onClick={() => (sum === null && next ? next() : give(draft))}
        >
          {sum !== null
            ? `Give ${plural(Number(formatPoints(sum)), 'point')}`
            : next
              ? 'Next undecided'
              : 'Give points'}
        </Button>
        <SecondaryButton leftSection={<AiIcon />} disabled={suggestion === null} aria-keyshortcuts="a" onClick={accept}>
          {suggestion ?? 'No suggestion'}
        </SecondaryButton>
        <Menu position="top-end" width={290}>
          <Menu.Target>
            <SecondaryButton px={10} aria-label="More ways to decide">
              <IconDots size={18} aria-hidden />
            </SecondaryButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<IconArrowUp size={18} aria-hidden />}
              rightSection={<kbd aria-hidden>Shift u</kbd>}
              aria-keyshortcuts="Shift+U"
              disabled={!chooseUp}
              onClick={chooseUp ?? undefined}
            >
              Select all from here up
            </Menu.Item>
            <Menu.Item
              leftSection={<IconArrowDown size={18} aria-hidden />}
              rightSection={<kbd aria-hidden>Shift d</kbd>}
              aria-keyshortcuts="Shift+D"
              disabled={!chooseDown}
              onClick={chooseDown ?? undefined}
            >
              Select all from here down
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconPencilOff size={18} aria-hidden />}
              rightSection={<kbd aria-hidden>Shift w</kbd>}
              aria-keyshortcuts="Shift+W"
              disabled={!withdraw}
              onClick={withdraw ?? undefined}
            >
              Withdraw points
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
    </section>
  )
}

interface CriterionPointsRowProps {
  criterion: Criterion
  number: number
  active: boolean
  activate: () => void
  draft: PointsDraft
  setDraft: (draft: PointsDraft) => void
  give: () => void
  children?: ReactNode
}

function CriterionPointsRow({
  criterion,
  number,
  active,
  activate,
  draft,
  setDraft,
  give,
  children,
}: CriterionPointsRowProps) {
  const { id, text, points } = criterion
  const change = (next: PointsDraft) => {
    activate()
    setDraft(next)
  }
  return (
    <li className={classes.criterion} data-active={active || undefined}>
      <button
        type="button"
        className={classes.toggle}
        aria-pressed={parseScore(draft[id] ?? '') === points}
        aria-keyshortcuts={number <= 9 ? String(number) : undefined}
        onClick={() => change(toggleDraft(draft, criterion))}
      >
        {number <= 9 && <kbd>{number}</kbd>}
        <span>{text}</span>
      </button>
      <span className={classes.stepper}>
        <ActionIcon
          variant="default"
          size={32}
          aria-label={`Fewer points for “${text}”`}
          onClick={() => change(stepDraft(draft, criterion, false))}
        >
          <IconMinus size={16} />
        </ActionIcon>
        <TextInput
          aria-label={`Points for “${text}”, of ${formatPoints(points)}`}
          className={classes.small}
          inputMode="decimal"
          autoComplete="off"
          value={draft[id] ?? ''}
          onFocus={activate}
          onChange={(event) => change({ ...draft, [id]: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') give()
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
          error={draftError(draft, criterion)}
        />
        <ActionIcon
          variant="default"
          size={32}
          aria-label={`More points for “${text}”`}
          onClick={() => change(stepDraft(draft, criterion, true))}
        >
          <IconPlus size={16} />
        </ActionIcon>
        <span className={classes.most}>/ {formatPoints(points)}</span>
      </span>
      <div className={classes.items}>{children}</div>
    </li>
  )
}

interface OneCriterionPointsProps {
  criterion: Criterion
  draft: PointsDraft
  setDraft: (draft: PointsDraft) => void
  give: (draft: PointsDraft) => void
}

function OneCriterionPoints({ criterion, draft, setDraft, give }: OneCriterionPointsProps) {
  const { id, points } = criterion
  const steps = pointSteps(criterion)
  return (
    <div className={classes.pad}>
      <TextInput
        className={classes.field}
        aria-label={`Points, of ${formatPoints(points)}`}
        inputMode="decimal"
        autoComplete="off"
        value={draft[id] ?? ''}
        onChange={(event) => setDraft({ ...draft, [id]: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') give(draft)
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
        error={draftError(draft, criterion)}
        rightSection={<span className={classes.most}>/ {formatPoints(points)}</span>}
        rightSectionWidth={52}
      />
      <fieldset
        className={classes.steps}
        style={{ gridTemplateColumns: `repeat(${columnsFor(steps.length)}, minmax(0, 1fr))` }}
      >
        <legend className="visually-hidden">Give points at once</legend>
        {steps.map((step) => (
          <SecondaryButton
            key={step}
            className={classes.step}
            aria-label={`Give ${formatPoints(step)}`}
            aria-keyshortcuts={step === points ? '+' : step === 0 ? '-' : undefined}
            onClick={() => give({ [id]: formatPoints(step) })}
          >
            {formatPoints(step)}
          </SecondaryButton>
        ))}
      </fieldset>
    </div>
  )
}
