import type { CourseDetail } from '@assay/shared/courses.ts'
import { exportGradebook, type Gradebook, getGradebook, updateGradebook } from '@assay/shared/gradebook.ts'
import { type GradebookFormat, gradebookFormats } from '@assay/shared/grades.ts'
import { Button, Checkbox, Menu, Modal, NativeSelect, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconChevronDown, IconDownload, IconSearch } from '@tabler/icons-react'
import { Fragment, useDeferredValue, useMemo, useState } from 'react'
import { CancelButton, LinkButton, SecondaryButton } from '../../components/display/buttons.tsx'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { ErrorNotice } from '../../components/feedback/Notice.tsx'
import { useFileExport } from '../../components/files/useFileExport.ts'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../components/layout/Page.tsx'
import { downloadFile, useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { formatPercent } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { coursePath } from '../../paths.ts'
import { WithCourse } from '../courses/WithCourse.tsx'
import { gradebookNames } from '../grades/grade-labels.ts'
import { GradebookGrid } from './GradebookGrid.tsx'
import classes from './GradebookPage.module.css'
import {
  type BookFilter,
  type BookSort,
  bookFilters,
  filterLabels,
  shownRows,
  sortAnnouncement,
} from './gradebook-rows.ts'

export function GradebookPage() {
  return <WithCourse>{(course) => <CourseGradebook course={course} />}</WithCourse>
}

function CourseGradebook({ course }: { course: CourseDetail }) {
  const book = useGet(getGradebook, { courseId: course.id })
  const [settings, setSettings] = useState(false)
  return (
    <Page>
      <PageHeader
        title="Gradebook"
        tabTitle={`Gradebook · ${course.name}`}
        crumbs={[
          { label: 'My Courses', to: '/courses' },
          { label: course.name, to: coursePath(course.id) },
          { label: 'Gradebook' },
        ]}
        subtitle="Totals count released grades, as students see them"
        actions={
          book.data && (
            <>
              <SecondaryButton
                leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
                onClick={() => setSettings(true)}
              >
                What counts
              </SecondaryButton>
              <ExportMenu courseId={course.id} />
            </>
          )
        }
      />
      <Loaded query={book} title="Error Loading Gradebook" skeleton={<RowSkeletons label="Loading gradebook" />}>
        {(data) =>
          data.rows.length > 0 && data.columns.length > 0 ? (
            <>
              <Book book={data} />
              <GradebookSettingsModal
                course={course}
                book={data}
                opened={settings}
                close={() => setSettings(false)}
                saved={book.reload}
              />
            </>
          ) : (
            <NothingYet book={data} courseId={course.id} />
          )
        }
      </Loaded>
    </Page>
  )
}

function NothingYet({ book, courseId }: { book: Gradebook; courseId: number }) {
  const [title, to, label] =
    book.rows.length === 0
      ? ['No Students Yet', coursePath(courseId, 'roster'), 'Manage Roster']
      : ['No Assignments Yet', coursePath(courseId), 'Back to Course']
  return (
    <EmptyState title={title} action={<LinkButton to={to}>{label}</LinkButton>}>
      The gradebook has a row for each student and a column for each assignment.
    </EmptyState>
  )
}

function Book({ book }: { book: Gradebook }) {
  const [search, setSearch] = useState('')
  const [filter, setFilter] = useState<BookFilter>('all')
  const [sort, setSort] = useState<BookSort>({ key: 'name', direction: 'ascending' })
  // A typed letter shows before a thousand rows are filtered.
  const words = useDeferredValue(search)
  const rows = useMemo(() => shownRows(book, { search: words, filter, sort }), [book, words, filter, sort])
  return (
    <>
      <div className={classes.tools}>
        <TextInput
          type="search"
          aria-label="Search students"
          placeholder="Name or number"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <NativeSelect
          aria-label="Show"
          data={bookFilters.map((value) => ({ value, label: filterLabels[value] }))}
          value={filter}
          onChange={(event) => {
            const { value } = event.currentTarget
            setFilter(bookFilters.find((one) => one === value) ?? 'all')
          }}
        />
        <span className="hint numbers">
          {rows.length} of {book.rows.length}
        </span>
      </div>
      <p role="status" className="visually-hidden">
        {sortAnnouncement(book, sort, rows.length)}
      </p>
      {rows.length === 0 ? (
        <EmptyState title="No students match." />
      ) : (
        <GradebookGrid book={book} rows={rows} sort={sort} setSort={setSort} />
      )}
      <p className={classes.legend}>
        <s>Struck out</s>: dropped from the total. <em>Italics</em>: students do not see this grade, or a newer one
        waits. Enter opens the paper.
      </p>
    </>
  )
}

function ExportMenu({ courseId }: { courseId: number }) {
  const { busy, start } = useFileExport(
    (format?: GradebookFormat) =>
      downloadFile(
        exportGradebook,
        { params: { courseId }, query: format ? { format } : {} },
        `course_${courseId}_gradebook${format ? `_${format}` : ''}.csv`,
      ),
    'Failed to export grades. Please try again.',
  )
  const icon = <IconDownload size={18} aria-hidden />
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <SecondaryButton loading={busy} rightSection={<IconChevronDown size={16} aria-hidden />}>
          Export
        </SecondaryButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={icon} onClick={() => void start()}>
          Export CSV
        </Menu.Item>
        {gradebookFormats.map((format) => (
          <Menu.Item key={format} leftSection={icon} onClick={() => void start(format)}>
            Export for {gradebookNames[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

interface SettingsProps {
  course: CourseDetail
  book: Gradebook
  opened: boolean
  close: () => void
  saved: () => Promise<unknown>
}

function GradebookSettingsModal(props: SettingsProps) {
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

function SettingsForm({ course, book, close, saved }: SettingsProps) {
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
