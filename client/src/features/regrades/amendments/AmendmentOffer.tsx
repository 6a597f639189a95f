import { getAnswer } from '@assay/shared/questions.ts'
import type { RegradeRequest } from '@assay/shared/regrades.ts'
import {
  type AmendmentKind,
  type AmendmentPreview,
  listAmendments,
  MAX_AMENDMENT_LENGTH,
  previewAmendment,
  type RubricAmendment,
  undoAmendment,
} from '@assay/shared/rubric-amendments.ts'
import { Button, Modal, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { CancelButton, SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { AskFirst } from '../../../components/feedback/ConfirmModal.tsx'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { MathTextarea } from '../../../components/math/MathTextarea.tsx'
import { useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { plural } from '../../../lib/format.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { rubricPath } from '../../../paths.ts'
import classes from './amendments.module.css'
import { LikeAnswers } from './LikeAnswers.tsx'

interface Props {
  assignmentId: number
  request: RegradeRequest
  changed: () => void
}

export function AmendmentOffer({ assignmentId, request, changed }: Props) {
  const amendments = useGet(listAmendments, { assignmentId, regradeId: request.id })
  const [opened, setOpened] = useState<AmendmentKind | null>(null)
  const { points } = request
  if (!points || !request.question || !amendments.data) return null
  const { group } = amendments.data
  const isFull = points.when_answered === points.of
  return (
    <section className={classes.offer} aria-labelledby="for-everyone">
      <h3 id="for-everyone" className={classes.title}>
        For everyone?
      </h3>
      {amendments.data.amendments.map((amendment) => (
        <AppliedAmendment
          key={amendment.id}
          assignmentId={assignmentId}
          amendment={amendment}
          undone={() => {
            void amendments.reload()
            changed()
          }}
        />
      ))}
      <p className={classes.words}>
        {group && `${groupWords(group)} `}
        {isFull
          ? 'Put it into the rubric, and see which other answers’ points would change.'
          : 'An accepted answer earns all the points, and you gave a part. You can clarify the rubric.'}
      </p>
      <div className="button-row">
        {isFull && (
          <SecondaryButton size="compact-sm" onClick={() => setOpened('alternative')}>
            Accept this answer for everyone
          </SecondaryButton>
        )}
        <SecondaryButton size="compact-sm" onClick={() => setOpened('clarification')}>
          Clarify the rubric
        </SecondaryButton>
      </div>
      {opened && (
        <AmendmentModal
          assignmentId={assignmentId}
          request={request}
          kind={opened}
          changed={changed}
          close={() => {
            setOpened(null)
            void amendments.reload()
          }}
        />
      )}
    </section>
  )
}

function groupWords({ answers, other_points }: { answers: number; other_points: number }): string {
  if (answers === 0) return 'No other answer is in a group with this one.'
  const group = `${plural(answers, 'other answer is', 'other answers are')} in a group with this one`
  if (other_points === 0) return `${group}, with the same points.`
  return `${group}, ${other_points === answers ? '' : `${other_points} `}with other points.`
}

interface AppliedAmendmentProps {
  assignmentId: number
  amendment: RubricAmendment
  undone: () => void
}

function AppliedAmendment({ assignmentId, amendment, undone }: AppliedAmendmentProps) {
  const { state, kind, result, question } = amendment
  const undo = useSend(undoAmendment)
  if (state !== 'applied')
    return (
      <p className={classes.words} role="status">
        {state === 'undone'
          ? undoneWords(amendment)
          : state === 'undoing'
            ? 'The change to the rubric is being undone.'
            : 'The points are being changed.'}
      </p>
    )
  const changed = result?.changed ?? 0
  return (
    <p className={classes.words}>
      {appliedWords(amendment)} <Link to={rubricPath(assignmentId)}>Open the rubric</Link>{' '}
      <AskFirst
        button={(ask) => (
          <SubtleButton size="compact-sm" className={classes.undo} onClick={ask}>
            Undo
          </SubtleButton>
        )}
        title="Undo this change to the rubric?"
        confirmLabel="Undo Change"
        onConfirm={async () => {
          await undo.send({ params: { assignmentId, amendmentId: amendment.id } })
          undone()
        }}
      >
        <p>
          {kind === 'alternative'
            ? `The answer is no longer accepted in question ${question.number}.`
            : `The clarification is removed from question ${question.number}.`}{' '}
          {changed > 0 &&
            `It changed ${plural(changed, 'other answer')}. Each gets its earlier points back, unless somebody has changed them since, and its student is told. `}
          This student keeps what you granted.
        </p>
      </AskFirst>
    </p>
  )
}

interface AmendmentModalProps extends Props {
  kind: AmendmentKind
  close: () => void
}

function AmendmentModal({ assignmentId, request, kind, changed, close }: AmendmentModalProps) {
  const [listed, setListed] = useState<{ text: string; preview: AmendmentPreview } | null>(null)
  const [applied, setApplied] = useState<RubricAmendment | null>(null)
  const title = kind === 'alternative' ? 'Accept this answer for everyone' : 'Clarify the rubric'
  return (
    <Modal opened onClose={close} size="lg" title={<span className="subheading">{title}</span>}>
      {applied ? (
        <div className={classes.step}>
          <p role="status">{appliedWords(applied)} Students whose points changed see why.</p>
          <div className={classes.actions}>
            <Button onClick={close} data-autofocus>
              Close
            </Button>
          </div>
        </div>
      ) : listed ? (
        <LikeAnswers
          assignmentId={assignmentId}
          words={{ regrade_id: request.id, kind, text: listed.text }}
          preview={listed.preview}
          applied={(amendment) => {
            setApplied(amendment)
            changed()
          }}
          close={close}
        />
      ) : (
        <AmendmentWords
          assignmentId={assignmentId}
          request={request}
          kind={kind}
          found={(text, preview) => setListed({ text, preview })}
          cancel={close}
        />
      )}
    </Modal>
  )
}

interface AmendmentWordsProps {
  assignmentId: number
  request: RegradeRequest
  kind: AmendmentKind
  found: (text: string, preview: AmendmentPreview) => void
  cancel: () => void
}

function AmendmentWords(props: AmendmentWordsProps) {
  const { assignmentId, request, kind } = props
  const answer = useGet(
    getAnswer,
    { assignmentId, questionId: request.question?.id ?? '', submissionId: request.submission_id },
    undefined,
    { enabled: kind === 'alternative' },
  )
  if (kind === 'alternative' && !answer.data && !answer.error)
    return (
      <div role="status" aria-label="Loading the answer">
        <Skeleton height={96} radius="md" />
      </div>
    )
  // Where it cannot be read, the teacher types it.
  return <WordsForm {...props} text={answer.data?.text ?? ''} />
}

function WordsForm({ assignmentId, request, kind, text, found, cancel }: AmendmentWordsProps & { text: string }) {
  const { send } = useSend(previewAmendment)
  const form = useContractForm(previewAmendment, {
    initialValues: { text: text.slice(0, MAX_AMENDMENT_LENGTH) },
    toBody: (values) => ({ ...values, regrade_id: request.id, kind }),
  })
  const submit = form.submit(async (body) => {
    found(body.text, await send({ params: { assignmentId }, body }))
  })
  const isAlternative = kind === 'alternative'
  return (
    <form className={classes.step} noValidate onSubmit={submit}>
      <MathTextarea
        label={isAlternative ? `Accepted answer for question ${request.question?.number}` : 'Note for grading'}
        description={
          isAlternative
            ? 'Answers that say this earn all the points. It is part of the rubric that graders and AI go by.'
            : 'Graders and AI go by it. Students do not see it.'
        }
        minRows={3}
        maxRows={12}
        maxLength={MAX_AMENDMENT_LENGTH}
        data-autofocus
        {...form.getInputProps('text')}
      />
      <p className="hint">Next you see which other answers’ points would change. Nothing is changed before.</p>
      <ErrorNotice error={form.failure} fallback="Like answers could not be looked for. Please try again." />
      <div className={classes.actions}>
        <CancelButton onClick={cancel} />
        <Button type="submit" loading={form.submitting}>
          Find like answers
        </Button>
      </div>
    </form>
  )
}

function appliedWords({ kind, text, result }: Pick<RubricAmendment, 'kind' | 'text' | 'result'>): string {
  const what = kind === 'alternative' ? `“${shortened(text)}” is accepted for everyone.` : 'The rubric is clarified.'
  if (!result) return what
  const { changed, skipped } = result
  const points =
    changed === 0 ? 'No other points changed.' : `The points of ${plural(changed, 'other answer')} changed.`
  const left =
    skipped === 0
      ? ''
      : ` ${plural(skipped, 'answer was', 'answers were')} changed by others meanwhile and left as they are.`
  return `${what} ${points}${left}`
}

function undoneWords({ kind, text, undone }: Pick<RubricAmendment, 'kind' | 'text' | 'undone'>): string {
  const what =
    kind === 'alternative'
      ? `Undone: “${shortened(text)}” is no longer accepted.`
      : 'Undone: the clarification is no longer in the rubric.'
  if (!undone) return what
  const { restored, left } = undone
  const points =
    restored === 0
      ? ''
      : ` ${plural(restored, 'answer has', 'answers have')} ${restored === 1 ? 'its' : 'their'} earlier points again.`
  const kept =
    left === 0 ? '' : ` ${plural(left, 'answer was', 'answers were')} changed by others meanwhile and left as they are.`
  return `${what}${points}${kept}`
}

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
