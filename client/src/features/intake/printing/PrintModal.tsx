import { getAssignment } from '@assay/shared/assignments.ts'
import {
  type AnswerSheetQuestions,
  createPrint,
  getAnswerSheetQuestions,
  getPrintedCopies,
  getSeparatorSheets,
  type LeftOutReason,
  listPrints,
  MOST_SEPARATOR_SHEETS,
  MOST_SPARE_COPIES,
  type Print,
  type PrintKind,
} from '@assay/shared/printing.ts'
import { Button, Checkbox, Modal, NumberInput, Radio, Skeleton } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { SecondaryButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { Loaded } from '../../../components/layout/Page.tsx'
import { downloadFile, type QueryResult, useAttempt, useGet, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../../lib/format.ts'
import classes from './PrintModal.module.css'

interface Props {
  assignmentId: number
  opened: boolean
  close: () => void
}

export function PrintModal({ assignmentId, opened, close }: Props) {
  const params = { assignmentId }
  const prints = useGet(listPrints, params, undefined, { enabled: opened })
  const assignment = useGet(getAssignment, params, undefined, { enabled: opened })
  const namesHidden = assignment.data?.anonymous?.names_hidden ?? false
  const create = useSend(createPrint)
  const [kind, setKind] = useState<PrintKind>('copies')
  const isSheet = kind === 'answer_sheets'
  const [wantsStudents, setWantsStudents] = useState(true)
  const [names, setNames] = useState(true)
  const [spares, setSpares] = useState<number | string>(2)
  const [doubleSided, setDoubleSided] = useState(true)
  const { attempt, busy, failure } = useAttempt('The copies could not be made. Please try again.')
  const students = wantsStudents && !namesHidden
  const spareCopies = typeof spares === 'number' ? spares : 0

  const run = (make: () => Promise<Print>) =>
    attempt(async () => {
      const print = await make()
      const name = `${print.kind === 'answer_sheets' ? 'sheets' : 'copies'}-${print.id}.pdf`
      await downloadFile(getPrintedCopies, { params: { ...params, printId: print.id } }, name)
    })

  const print = () =>
    run(async () => {
      const body = { kind, students, spares: spareCopies, names: students && names, double_sided: doubleSided }
      const made = await create.send({ params, body })
      await prints.reload()
      return made
    })

  return (
    <Modal opened={opened} onClose={close} title="Print for the class">
      <div className={classes.stack}>
        <p className={classes.words}>
          Each page gets a small code in its margins. Scan the papers together as a class scan, in any order and any way
          round: the code tells which paper a page belongs to, and you are asked about pages whose code cannot be read.
        </p>
        <Radio.Group label="What to print" value={kind} onChange={(value) => setKind(value as PrintKind)}>
          <div className={classes.kinds}>
            <Radio value="copies" label="Copies of the paper" />
            <Radio
              value="answer_sheets"
              label="Answer sheets"
              description="With circles to fill for choice and true-or-false questions."
            />
          </div>
        </Radio.Group>
        {isSheet && <AnswerSheetNote assignmentId={assignmentId} />}
        {namesHidden && (
          <Notice>
            Names are hidden while this assignment is graded, so only spare {isSheet ? 'sheets' : 'copies'} can be
            printed. For {isSheet ? 'sheets' : 'copies'} for students, show names first.
          </Notice>
        )}
        <Checkbox
          label={isSheet ? 'A sheet for each student on the roster' : 'A copy for each student on the roster'}
          checked={students}
          disabled={namesHidden}
          onChange={(event) => setWantsStudents(event.currentTarget.checked)}
        />
        <Checkbox
          label="Print the student’s name on each page"
          description="The name is never in the code."
          checked={students && names}
          disabled={!students}
          onChange={(event) => setNames(event.currentTarget.checked)}
        />
        <NumberInput
          label={isSheet ? 'Spare sheets' : 'Spare copies'}
          description={
            isSheet
              ? 'Without a student. Whoever uses one writes their name on it, and fills in their student number.'
              : 'Without a student. Whoever uses one writes their name on it.'
          }
          min={0}
          max={MOST_SPARE_COPIES}
          value={spares}
          onChange={setSpares}
        />
        <Checkbox
          label="I print on both sides"
          description="Adds an empty page where needed, so that no two copies share a sheet."
          checked={doubleSided}
          onChange={(event) => setDoubleSided(event.currentTarget.checked)}
        />
        {failure && <Notice tone="bad">{failure}</Notice>}
        <Button
          onClick={() => void print()}
          loading={busy}
          disabled={!students && spareCopies === 0}
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          Download PDF
        </Button>
        <p className={classes.words}>Print the PDF at its actual size (100 %).</p>
        <EarlierPrints
          prints={prints}
          namesHidden={namesHidden}
          busy={busy}
          download={(one) => void run(async () => one)}
        />
        <SeparatorSheets assignmentId={assignmentId} />
      </div>
    </Modal>
  )
}

interface EarlierProps {
  prints: QueryResult<Print[]>
  namesHidden: boolean
  busy: boolean
  download: (print: Print) => void
}

function EarlierPrints({ prints, namesHidden, busy, download }: EarlierProps) {
  return (
    <Loaded query={prints} skeleton={<Skeleton height={24} />}>
      {(data) =>
        data.length > 0 && (
          <section>
            <h3 className={classes.heading}>Printed before</h3>
            <ul className={classes.prints}>
              {data.map((print) => (
                <li key={print.id} className={classes.print}>
                  <span>
                    {formatDate(print.at)}: {copiesOf(print)}
                  </span>
                  {namesHidden && print.students > 0 ? (
                    <span className={classes.words}>Names are hidden now.</span>
                  ) : print.current ? (
                    <SecondaryButton
                      disabled={busy}
                      aria-label={`Download again: ${copiesOf(print)}`}
                      onClick={() => download(print)}
                    >
                      Download again
                    </SecondaryButton>
                  ) : (
                    <span className={classes.words}>The blank has been replaced since.</span>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )
      }
    </Loaded>
  )
}

const copiesOf = ({ kind, students, spares, pages }: Print) =>
  [
    kind === 'answer_sheets' ? 'answer sheets' : '',
    students > 0 ? plural(students, 'student') : '',
    spares > 0 ? `${spares} spare` : '',
    `${plural(pages, 'page')} each`,
  ]
    .filter((part) => part !== '')
    .join(', ')

function AnswerSheetNote({ assignmentId }: { assignmentId: number }) {
  const sheet = useGet(getAnswerSheetQuestions, { assignmentId })
  return (
    <Loaded query={sheet} skeleton={<Skeleton height={40} />}>
      {({ questions, left_out, digits, versions }) => (
        <div className={classes.note}>
          {questions.length === 0 ? (
            <Notice tone="warn">
              The rubric has no choice question with 2 to 6 options and no true-or-false question yet, so there is
              nothing to put on an answer sheet.
            </Notice>
          ) : (
            <p className={classes.words}>
              Circles for {plural(questions.length, 'question')}. A sheet and the student’s paper, scanned together,
              become one paper. Marks that are not plain are left for you.
            </p>
          )}
          {questions.length > 0 && versions && (
            <p className={classes.words}>
              Each sheet also has circles for the version of the paper, A to D. Tell students to fill in theirs.
            </p>
          )}
          {left_out.length > 0 && <LeftOut questions={left_out} />}
          {questions.length > 0 && digits === 0 && (
            <p className={classes.words}>
              The roster has no student numbers in digits, so spare sheets have a line for the name alone.
            </p>
          )}
        </div>
      )}
    </Loaded>
  )
}

const reasons: [LeftOutReason, string][] = [
  ['options', 'without 2 to 6 options that could be read'],
  ['several', 'with more than one right option, where a sheet asks for one circle'],
  ['label', 'with a number too long to print beside the circles'],
]

function LeftOut({ questions }: { questions: AnswerSheetQuestions['left_out'] }) {
  return (
    <Notice tone="warn">
      {reasons.map(([reason, words]) => {
        const own = questions.filter(({ why }) => why === reason)
        if (own.length === 0) return null
        return (
          <p key={reason} className={classes.words}>
            Not on the sheet: {plural(own.length, 'question')} {words} ({own.map(({ number }) => number).join(', ')}).
          </p>
        )
      })}
    </Notice>
  )
}

function SeparatorSheets({ assignmentId }: { assignmentId: number }) {
  const [sheets, setSheets] = useState<number | string>(30)
  const { attempt, busy, failure } = useAttempt('The separator sheets could not be made. Please try again.')
  const query = { sheets: typeof sheets === 'number' ? sheets : 1 }
  const download = () =>
    attempt(() => downloadFile(getSeparatorSheets, { params: { assignmentId }, query }, 'separator-sheets.pdf'))
  return (
    <section className={classes.stack} aria-label="Separator sheets">
      <h3 className={classes.heading}>Separator sheets</h3>
      <p className={classes.words}>
        For papers without codes: place a separator sheet before each paper, and a class scan is split at them. They can
        be used again for any exam.
      </p>
      <NumberInput label="Number of sheets" min={1} max={MOST_SEPARATOR_SHEETS} value={sheets} onChange={setSheets} />
      {failure && <Notice tone="bad">{failure}</Notice>}
      <SecondaryButton
        onClick={() => void download()}
        loading={busy}
        disabled={typeof sheets !== 'number'}
        leftSection={<IconDownload size={18} aria-hidden />}
      >
        Download separator sheets
      </SecondaryButton>
    </section>
  )
}
