import type { LinkableAssignment, LinkChoice } from '@assay/shared/lti/lti-deep-linking.ts'
import { answerDeepLink, MAX_LINKS } from '@assay/shared/lti/lti-deep-linking.ts'
import { Button, Checkbox, Radio, TextInput } from '@mantine/core'
import { IconLink, IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { ApiError } from '../../../lib/api/api-error.ts'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { formatDate, formatDateTime, plural } from '../../../lib/format.ts'
import { externalNavigation } from '../../../lib/session/external-navigation.ts'
import { safeRedirectPath } from '../../../lib/session/redirect-paths.ts'
import { checkRubricPath } from '../../../paths.ts'
import classes from './ChooseForm.module.css'
import { parseIds, useChosenAssignments } from './choice-paths.ts'

const SEARCH_THRESHOLD = 6

export function ChooseForm({ choice, reload }: { choice: LinkChoice; reload: () => Promise<boolean> }) {
  const { assignments, accepts, platform_name: lms } = choice
  const { several } = accepts
  const chosen = useChosenAssignments(assignments, several)
  const answer = useDeepLinkResponse()
  const [search, setSearch] = useState('')
  const found = matching(assignments, search)
  const count = chosen.ids.length
  const [created] = useState(useCreatedAssignment(assignments))
  const tooMany = count > MAX_LINKS

  // An assignment was deleted, or sent in another tab, so the list is out of date.
  const status = answer.error?.status
  useEffect(() => {
    if (status === 404 || status === 409) void reload()
  }, [status, reload])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (count > 0 && !tooMany && !answer.sending) void answer.send(chosen.ids)
  }

  return (
    <form className={classes.root} onSubmit={submit}>
      {assignments.length > SEARCH_THRESHOLD && (
        <TextInput
          aria-label="Search assignments"
          placeholder="Search by name"
          type="search"
          size="sm"
          maxLength={200}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          // Enter searches; it must not send the choice.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          className={classes.search}
        />
      )}
      <fieldset className={classes.list} disabled={answer.sending}>
        <legend className={classes.status}>{several ? 'Assignments to add' : 'The assignment to add'}</legend>
        <ul>
          {found.map((assignment) => (
            <ChoiceRow
              key={assignment.id}
              assignment={assignment}
              several={several}
              chosen={chosen.ids.includes(assignment.id)}
              choose={(on) => chosen.choose(assignment.id, on)}
              disabled={answer.sending}
            />
          ))}
        </ul>
        {found.length === 0 && <p className={classes.none}>No assignments match “{search.trim()}”.</p>}
      </fieldset>
      <p role="status" className={classes.status}>
        {search.trim() && `${plural(found.length, 'assignment')} found. `}
        {count > 0 && `${plural(count, 'assignment')} chosen.`}
      </p>
      {created && <CheckRubricHint created={created} chosen={chosen.ids} />}
      <Hints chosen={assignments.filter(({ id }) => chosen.ids.includes(id))} lms={lms} />
      <ResponseError answer={answer} />
      <div className={classes.bar}>
        <Button type="submit" size="sm" disabled={count === 0 || tooMany} loading={answer.sending}>
          {count > 1 ? `Add ${plural(count, 'assignment')}` : 'Add assignment'}
        </Button>
        <Button variant="subtle" color="gray" disabled={answer.sending} onClick={() => void answer.send([])}>
          Cancel
        </Button>
        <HiddenChoices chosen={chosen.ids} found={found} tooMany={tooMany} />
      </div>
    </form>
  )
}

function useCreatedAssignment(assignments: readonly LinkableAssignment[]): LinkableAssignment | null {
  const [search] = useSearchParams()
  const [id] = parseIds(search.get('created'))
  return assignments.find((assignment) => assignment.id === id) ?? null
}

function CheckRubricHint({ created, chosen }: { created: LinkableAssignment; chosen: readonly number[] }) {
  return (
    <Notice actions={<LinkButton to={checkRubricPath(created.id, 'choice', chosen)}>Check the Rubric</LinkButton>}>
      “{created.title}” was created. Check questions, points and expected answers now, or before you grade.
    </Notice>
  )
}

function matching(assignments: readonly LinkableAssignment[], search: string): readonly LinkableAssignment[] {
  const words = search.trim().toLocaleLowerCase()
  return words ? assignments.filter(({ title }) => title.toLocaleLowerCase().includes(words)) : assignments
}

function Hints({ chosen, lms }: { chosen: LinkableAssignment[]; lms: string }) {
  const again = chosen.filter(({ linked }) => linked).length
  const drafts = chosen.filter(({ status }) => status === 'draft').length
  return (
    <>
      {again > 0 && <p className={classes.hint}>{alreadyLinkedMessage(again, chosen.length, lms)}</p>}
      {drafts > 0 && <p className={classes.hint}>{draftMessage(drafts)}</p>}
    </>
  )
}

function alreadyLinkedMessage(again: number, all: number, lms: string): string {
  const who = all === 1 ? 'It is' : again === 1 ? 'One of them is' : `${again} of them are`
  return `${who} already linked in this course. ${lms} creates a second link with its own column for the same grades.`
}

const draftMessage = (drafts: number) =>
  drafts === 1
    ? 'Students see a draft only after you publish it in Assay.'
    : 'Students see drafts only after you publish them in Assay.'

interface HiddenChoicesProps {
  chosen: readonly number[]
  found: readonly LinkableAssignment[]
  tooMany: boolean
}

function HiddenChoices({ chosen, found, tooMany }: HiddenChoicesProps) {
  const shown = new Set(found.map(({ id }) => id))
  const hidden = chosen.filter((id) => !shown.has(id)).length
  if (tooMany) return <span className={classes.aside}>At most {MAX_LINKS} can be added at once</span>
  if (hidden === 0) return null
  return <span className={classes.aside}>{hidden} of them hidden by this search</span>
}

interface ChoiceRowProps {
  assignment: LinkableAssignment
  several: boolean
  chosen: boolean
  choose: (on: boolean) => void
  disabled: boolean
}

function ChoiceRow({ assignment, several, chosen, choose, disabled }: ChoiceRowProps) {
  const { id, title } = assignment
  const Box = several ? Checkbox : Radio
  return (
    <li className={classes.row} data-chosen={chosen || undefined}>
      <Box
        name="assignment"
        value={String(id)}
        checked={chosen}
        onChange={(event) => choose(event.currentTarget.checked)}
        disabled={disabled}
        classNames={{ root: classes.box, body: classes.body, labelWrapper: classes.words, label: classes.label }}
        label={
          <>
            <span className={classes.title}>{title}</span>
            <Facts assignment={assignment} />
          </>
        }
      />
    </li>
  )
}

function Facts({ assignment: { status, points, due_at, linked, added_at } }: { assignment: LinkableAssignment }) {
  return (
    <span className={classes.facts}>
      <StatusBadge status={status} />
      {points !== null && <span>{plural(points, 'point')}</span>}
      {due_at && (
        <span>
          Due <time dateTime={due_at}>{formatDateTime(due_at)}</time>
        </span>
      )}
      {(linked || added_at) && (
        <span className={classes.linked}>
          <IconLink size={15} aria-hidden />
          {linked || !added_at ? 'Linked in this course' : `Added ${formatDate(added_at)}, not opened yet`}
        </span>
      )}
    </span>
  )
}

export function ResponseError({ answer: { error } }: { answer: DeepLinkResponder }) {
  return <ErrorNotice error={error} fallback="This could not be sent to the LMS. Please try again." />
}

type DeepLinkResponder = ReturnType<typeof useDeepLinkResponse>

export function useDeepLinkResponse() {
  const answer = useSend(answerDeepLink)
  const [leaving, setLeaving] = useState(false)
  const [wrong, setWrong] = useState<ApiError | null>(null)

  async function send(ids: readonly number[]) {
    setWrong(null)
    const answered = await answer.attempt({ body: { assignment_ids: [...ids] } })
    if (!answered) return
    const own = safeRedirectPath(answered.page)
    if (!own) return setWrong(ApiError.of('unexpected_error'))
    setLeaving(true)
    externalNavigation.goTo(own)
  }
  return { send, sending: answer.sending || leaving, error: answer.error ?? wrong }
}
