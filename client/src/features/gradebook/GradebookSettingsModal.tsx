import type { CourseDetail } from '@assay/shared/courses.ts'
import { type Gradebook, updateGradebook } from '@assay/shared/gradebook.ts'
import { Button, Checkbox, Modal, TextInput } from '@mantine/core'
import { Fragment, useState } from 'react'
import { CancelButton } from '../../components/display/buttons.tsx'
import { ErrorNotice } from '../../components/feedback/Notice.tsx'
import { useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatPercent } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import classes from './GradebookPage.module.css'

interface Props {
  course: CourseDetail
  book: Gradebook
  opened: boolean
  close: () => void
  saved: () => Promise<unknown>
}

export function GradebookSettingsModal(props: Props) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.close}
      title={<span className="subheading">What counts</span>}
      size="lg"
    >
      {props.opened && <SettingsForm {...props} />}
    </Modal>
  )
}

const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')))

function SettingsForm({ course, book, close, saved }: Props) {
  const [drop, setDrop] = useState(String(book.drop_lowest))
  const [fields, setFields] = useState(
    book.columns.map(({ assignment_id, title, counts, weight }) => ({
      ...{ assignment_id, title, counts },
      weight: String(weight),
    })),
  )
  const save = useSend(updateGradebook)
  const refresh = useRevalidate()
  const dropped = numberOf(drop)
  const wrongDrop =
    Number.isInteger(dropped) && dropped >= 0 && dropped <= 50 ? null : 'Enter a whole number from 0 to 50'
  const isWrong = (text: string) => !(numberOf(text) > 0 && numberOf(text) <= 1000)
  const wrong = wrongDrop !== null || fields.some(({ weight }) => isWrong(weight))
  const sum = fields.reduce((all, { counts, weight }) => all + (counts && !isWrong(weight) ? numberOf(weight) : 0), 0)

  function change(id: number, part: { counts?: boolean; weight?: string }) {
    setFields((now) => now.map((one) => (one.assignment_id === id ? { ...one, ...part } : one)))
  }

  async function submit() {
    const assignments = fields.map(({ assignment_id, counts, weight }) => ({
      assignment_id,
      counts,
      weight: numberOf(weight),
    }))
    const body = { drop_lowest: dropped, assignments }
    if (!(await save.attempt({ params: { courseId: course.id }, body }))) return
    await saved()
    void refresh('/analytics')
    toast.success('Saved. Students see their new averages.')
    close()
  }

  return (
    <form
      className="wide-stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!wrong) void submit()
      }}
    >
      <TextInput
        label="Drop the lowest grades of each student"
        description="How many. One grade always counts; work that is missing is no grade."
        inputMode="numeric"
        value={drop}
        error={wrongDrop}
        onChange={(event) => setDrop(event.currentTarget.value)}
        maw="20rem"
      />
      <div className={classes.fields}>
        <span className="hint">Assignment counts</span>
        <span className="hint">Weight</span>
        <span className={classes.share}>Share</span>
        {fields.map(({ assignment_id: id, title, counts, weight }) => (
          <Fragment key={id}>
            <Checkbox
              label={title}
              checked={counts}
              onChange={(event) => change(id, { counts: event.currentTarget.checked })}
            />
            <TextInput
              aria-label={`Weight of ${title}`}
              inputMode="decimal"
              value={weight}
              disabled={!counts}
              error={isWrong(weight) && 'Above 0, up to 1000'}
              onChange={(event) => change(id, { weight: event.currentTarget.value })}
            />
            <span className={classes.share}>
              {counts && sum > 0 && !isWrong(weight) ? formatPercent((100 * numberOf(weight)) / sum) : '–'}
            </span>
          </Fragment>
        ))}
      </div>
      {save.error && <ErrorNotice error={save.error} fallback="The settings could not be saved." />}
      <div className="button-row at-end">
        <CancelButton onClick={close} disabled={save.sending} />
        <Button type="submit" loading={save.sending} disabled={wrong}>
          Save
        </Button>
      </div>
    </form>
  )
}
