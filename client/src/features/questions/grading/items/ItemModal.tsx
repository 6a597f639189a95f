import { type ItemKind, type ItemWords, MAX_ITEM_TEXT } from '@assay/shared/item-words.ts'
import type { QuestionToGrade } from '@assay/shared/questions.ts'
import {
  type BankItem,
  changeRubricItem,
  createRubricItem,
  type RubricItem,
  removeRubricItem,
  searchCommentBank,
} from '@assay/shared/rubric-items.ts'
import { Button, Modal, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconMessage, IconPlus, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { SecondaryButton } from '../../../../components/display/buttons.tsx'
import { useAnnounce } from '../../../../components/feedback/Announcer.tsx'
import confirm from '../../../../components/feedback/ConfirmModal.module.css'
import { ConfirmModal } from '../../../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../../../components/feedback/Notice.tsx'
import { MathText } from '../../../../components/math/MathText.tsx'
import { MathTextarea } from '../../../../components/math/MathTextarea.tsx'
import { type ApiError, asApiError } from '../../../../lib/api/api-error.ts'
import { useGet, useSend } from '../../../../lib/api/api-hooks.ts'
import { formatPoints, plural } from '../../../../lib/format.ts'
import { parseScore, pointsError } from '../../../grades/grade-form.ts'
import { itemWorth, itemWorthInWords } from '../../../grades/item-words.ts'
import classes from './ItemModal.module.css'
import type { ItemForm, ItemPanel } from './useItemPanel.ts'

interface Props {
  assignmentId: number
  question: Pick<QuestionToGrade['question'], 'id'> & {
    criteria: Pick<QuestionToGrade['question']['criteria'][number], 'id' | 'text' | 'points'>[]
  }
  panel: Pick<ItemPanel, 'form' | 'closeForm' | 'items' | 'countOf' | 'loaded'>
  published: boolean
  changed: (changeId: number | null, answers: number) => void
}

export function ItemModal(props: Props) {
  const { form } = props.panel
  // The words stay while it fades.
  const last = useRef(form)
  if (form) last.current = form
  const adding = !last.current || 'adding' in last.current
  return (
    <Modal
      opened={form !== null}
      onClose={props.panel.closeForm}
      title={<span className={confirm.title}>{adding ? 'Add a rubric item' : 'Edit rubric item'}</span>}
      size={560}
    >
      {last.current && <Form {...props} form={last.current} />}
    </Modal>
  )
}

const kinds: { value: ItemKind; label: string }[] = [
  { value: 'takes', label: 'Takes off' },
  { value: 'gives', label: 'Gives' },
  { value: 'comment', label: 'Comment' },
]

function Form({ assignmentId, question, panel, published, changed, form }: Props & { form: ItemForm }) {
  const announce = useAnnounce()
  const item = 'editing' in form ? form.editing : null
  const count = item ? panel.countOf(item) : 0
  const [criterionId, setCriterionId] = useState(
    item?.criterion_id ?? ('adding' in form ? form.adding.criterionId : ''),
  )
  const [kind, setKind] = useState<ItemKind>(item?.kind ?? usualKind(panel.items, criterionId))
  const [points, setPoints] = useState(formatPoints(item?.points ?? 1))
  const [text, setText] = useState(item?.text ?? '')
  const [failure, setFailure] = useState<ApiError | null>(null)
  const [removing, setRemoving] = useState(false)
  const [tried, setTried] = useState(false)
  const create = useSend(createRubricItem)
  const change = useSend(changeRubricItem)
  const remove = useSend(removeRubricItem)

  const most = question.criteria.find(({ id }) => id === criterionId)?.points ?? 0
  const given = parseScore(points)
  const wrongPoints = kind === 'comment' ? null : given === null ? 'Enter the points' : pointsError(given, most)
  const wrongText = text.trim() === '' ? 'Write what the student will read' : null
  const words: ItemWords = { kind, points: kind === 'comment' ? 0 : (given ?? 0), text: text.trim() }
  const params = { assignmentId, questionId: question.id }
  // Somebody else's change is shown before it can be overwritten.
  const theirs = failure?.status === 409 ? panel.items.find(({ id }) => id === item?.id) : undefined
  const revision = theirs?.revision ?? item?.revision ?? 0

  async function attempt(work: () => Promise<void>): Promise<void> {
    setFailure(null)
    try {
      await work()
      panel.closeForm()
    } catch (cause) {
      setFailure(asApiError(cause))
    }
    await panel.loaded.reload()
  }

  function save() {
    setTried(true)
    if (wrongPoints || wrongText) return
    void attempt(async () => {
      if (!item) return add(words)
      const reply = await change.send({ params: { ...params, itemId: item.id }, body: { ...words, revision } })
      changed(reply.change_id, reply.changed.length)
      announce(`Item saved, ${plural(reply.changed.length, 'answer')} changed`)
    })
  }

  async function add(own: ItemWords, copyOf?: number) {
    const body = { ...own, criterion_id: criterionId, ...(copyOf === undefined ? {} : { copy_of: copyOf }) }
    await create.send({ params, body })
    announce('Item added')
  }

  const copy = ({ id, kind: itsKind, points: its, text: itsText }: BankItem) =>
    // The criterion may be worth less than the one it was written for.
    void attempt(() => add({ kind: itsKind, points: Math.min(its, most), text: itsText }, id))

  return (
    <form
      className={classes.root}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      {!item && question.criteria.length > 1 && (
        <NativeSelect
          label="Criterion"
          data={question.criteria.map((criterion) => ({ value: criterion.id, label: criterion.text }))}
          value={criterionId}
          onChange={(event) => setCriterionId(event.currentTarget.value)}
        />
      )}
      <MathTextarea
        label="What the student reads"
        data-autofocus
        minRows={2}
        maxRows={6}
        maxLength={MAX_ITEM_TEXT}
        value={text}
        error={tried && wrongText}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          const { selectionStart, value } = event.currentTarget
          if (event.key === 'ArrowDown' && selectionStart === value.length) focusBank(event, 1)
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          save()
        }}
      />
      <div className={classes.worth}>
        <SegmentedControl
          aria-label="What it does to the points"
          data={kinds}
          value={kind}
          onChange={(value) => setKind(value as ItemKind)}
        />
        {kind !== 'comment' && (
          <TextInput
            className={classes.points}
            aria-label={`Points, at most ${formatPoints(most)}`}
            inputMode="decimal"
            autoComplete="off"
            value={points}
            error={tried && wrongPoints}
            rightSection={<span className={classes.most}>/ {formatPoints(most)}</span>}
            rightSectionWidth={52}
            onChange={(event) => setPoints(event.currentTarget.value)}
          />
        )}
      </div>
      {count > 0 && (
        <p className="plain">
          This changes {plural(count, 'answer')}.{published && ' Students see the change at once.'}
        </p>
      )}
      {failure && (
        <Notice tone="bad">
          {failure.message}
          {theirs && theirs.revision !== item?.revision && ` It is now: ${itemWorth(theirs)} ${theirs.text}`}
        </Notice>
      )}
      <div className="button-row at-end">
        {item && (
          <SecondaryButton
            className={classes.remove}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setRemoving(true)}
          >
            Remove
          </SecondaryButton>
        )}
        <SecondaryButton onClick={panel.closeForm}>Cancel</SecondaryButton>
        <Button type="submit" loading={create.sending || change.sending}>
          {!item ? 'Add item' : count > 0 ? `Change ${plural(count, 'answer')}` : 'Save'}
        </Button>
      </div>
      {!item && <CommentBank params={params} search={text} add={copy} />}
      {item && (
        <ConfirmModal
          opened={removing}
          close={() => setRemoving(false)}
          title="Remove this item?"
          confirmLabel="Remove item"
          dangerous
          onConfirm={async () => {
            const reply = await remove.send({ params: { ...params, itemId: item.id }, body: { revision } })
            changed(reply.change_id, reply.changed.length)
            announce('Item removed')
            panel.closeForm()
            await panel.loaded.reload()
          }}
        >
          {count === 0 ? (
            <p>No answer has it. You can undo this.</p>
          ) : (
            <p>
              {plural(count, 'answer')} will lose its words and points. Answers without any other item that counts are
              undecided again. You can undo this.
            </p>
          )}
        </ConfirmModal>
      )}
    </form>
  )
}

function usualKind(items: readonly RubricItem[], criterionId: string): ItemKind {
  const last = items.findLast(({ criterion_id, kind }) => criterion_id === criterionId && kind !== 'comment')
  return last?.kind ?? 'takes'
}

interface CommentBankProps {
  params: { assignmentId: number; questionId: string }
  search: string
  add: (item: BankItem) => void
}

/** Within the same form; before the first there is none. */
function focusBank(event: KeyboardEvent<HTMLElement>, by: 1 | -1): void {
  const buttons = [...(event.currentTarget.closest('form')?.querySelectorAll<HTMLElement>('[data-bank-item]') ?? [])]
  const next = buttons[buttons.indexOf(document.activeElement as HTMLElement) + by]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function CommentBank({ params, search, add }: CommentBankProps) {
  const [words] = useDebouncedValue(search.trim().slice(0, 200), 200)
  const found = useGet(searchCommentBank, params, { search: words }, { keepPreviousData: true })
  const all = useGet(searchCommentBank, params, { search: '' })
  const items = found.data ?? []
  // A course's first item has nothing to search.
  if (!all.error && !all.data?.length) return null
  return (
    <section className={classes.bank} aria-label="Comment bank">
      <h3>From this course’s other questions</h3>
      <p className={classes.count} role="status">
        {found.error
          ? 'The comment bank could not be loaded.'
          : items.length === 0
            ? 'No item with these words.'
            : words === ''
              ? 'The most used. Type words to search, ↓ to choose.'
              : `${plural(items.length, 'item')} with these words.`}
      </p>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              data-bank-item
              onClick={() => add(item)}
              onKeyDown={(event) => {
                if (event.key === 'ArrowDown') focusBank(event, 1)
                if (event.key === 'ArrowUp') focusBank(event, -1)
              }}
            >
              <IconPlus size={16} aria-hidden />
              <span className={classes.bankWorth}>
                {item.kind === 'comment' ? (
                  <IconMessage size={16} aria-hidden />
                ) : (
                  <span aria-hidden>{itemWorth(item)}</span>
                )}
                <span className="visually-hidden">{`Add: ${itemWorthInWords(item)}: `}</span>
              </span>
              <span className={classes.bankText}>
                <MathText>{item.text}</MathText>
                <small>
                  {item.assignment}, {item.question.slice(0, 60)}
                  {item.answers > 0 && ` · ${plural(item.answers, 'answer')}`}
                </small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
