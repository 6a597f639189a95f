import type { Assignment } from '@assay/shared/assignments.ts'
import { type CurrentRubric, exportRubric, generateRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { totalPoints } from '@assay/shared/rules/edited-rubric.ts'
import { parseRubricFile } from '@assay/shared/rules/rubric-file.ts'
import { Button, Menu, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronDown, IconFileText, IconHistory } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { SecondaryButton } from '../../components/display/buttons.tsx'
import confirm from '../../components/feedback/ConfirmModal.module.css'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { downloadFile, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { tryWithToast } from '../../lib/toast.ts'
import { PaperVersionsModal, versionedQuestions } from './editor/PaperVersionsModal.tsx'
import classes from './editor/RubricEditor.module.css'
import { useRubricPapers } from './papers/useRubricPapers.tsx'
import type { RubricDraft } from './useRubricDraft.ts'
import { ChangesList, VersionsDrawer } from './versions/VersionsDrawer.tsx'

interface Props {
  assignment: Assignment
  current: CurrentRubric
  draft: RubricDraft
  onImported: (rubric: Rubric) => void
  saved: (current: CurrentRubric) => void
  put: (current: CurrentRubric) => void
  withPapers: boolean
}

export function RubricToolbar({ assignment, current, draft, onImported, saved, put, withPapers }: Props) {
  const small = useMediaQuery('(max-width: 47.99em)')
  const papers = useRubricPapers()
  const [shown, setShown] = useState<'versions' | 'paper_versions' | null>(null)
  const [picked, setPicked] = useState<{ name: string; text: string } | null>(null)
  const [remakeBy, setRemakeBy] = useState<'rules' | 'model' | null>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const make = useSend(generateRubric)
  const params = { assignmentId: assignment.id }
  const busy = current.held || current.generation?.state === 'running'
  const close = () => setShown(null)

  async function pick(file: File | undefined) {
    if (!file) return
    const text = file.size <= MAX_BYTES ? await file.text().catch(() => '') : ''
    setPicked({ name: file.name, text })
  }

  const save = () =>
    tryWithToast('The rubric could not be exported.', () =>
      downloadFile(exportRubric, { params }, `${assignment.title} rubric.json`),
    )

  return (
    <>
      {withPapers && (
        <SecondaryButton
          leftSection={<IconFileText size={18} aria-hidden />}
          onClick={() => papers.setSheetOpened(true)}
        >
          Blank and Key
        </SecondaryButton>
      )}
      {!small && (
        <SecondaryButton
          leftSection={<IconHistory size={18} aria-hidden />}
          disabled={current.rubric === null}
          onClick={() => setShown('versions')}
        >
          Versions
        </SecondaryButton>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <SecondaryButton rightSection={<IconChevronDown size={16} aria-hidden />}>More</SecondaryButton>
        </Menu.Target>
        <Menu.Dropdown>
          {small && (
            <>
              <Menu.Item disabled={current.rubric === null} onClick={() => setShown('versions')}>
                Versions…
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item
            disabled={versionedQuestions(draft.rubric).length === 0}
            onClick={() => setShown('paper_versions')}
          >
            Paper versions A–D…
          </Menu.Item>
          <Menu.Item onClick={() => chooser.current?.click()}>Import from a file…</Menu.Item>
          <Menu.Item disabled={current.rubric === null} onClick={() => void save()}>
            Export to a file
          </Menu.Item>
          {current.rubric && (
            <>
              <Menu.Divider />
              <Menu.Item disabled={busy} onClick={() => setRemakeBy('rules')}>
                Recreate from blank and key…
              </Menu.Item>
              {current.model && (
                <Menu.Item disabled={busy} onClick={() => setRemakeBy('model')}>
                  Recreate with {current.model}…
                </Menu.Item>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <input
        ref={chooser}
        type="file"
        accept="application/json,.json"
        aria-label="Rubric file"
        hidden
        onChange={(event) => {
          void pick(event.currentTarget.files?.[0])
          // The same file may be chosen again once it is mended.
          event.currentTarget.value = ''
        }}
      />
      <ImportRubricModal picked={picked} close={() => setPicked(null)} draft={draft} onImport={onImported} />
      <PaperVersionsModal
        opened={shown === 'paper_versions'}
        close={close}
        rubric={draft.rubric}
        change={draft.change}
      />
      <VersionsDrawer
        assignmentId={assignment.id}
        opened={shown === 'versions'}
        close={close}
        current={current}
        unsaved={draft.changed}
        restored={saved}
      />
      <ConfirmModal
        opened={remakeBy !== null}
        close={() => setRemakeBy(null)}
        title="Recreate the rubric?"
        confirmLabel="Recreate"
        onConfirm={async () => {
          if (remakeBy) put(await make.send({ params, body: { by: remakeBy, replace: true } }))
        }}
      >
        <p>
          The questions are read from the blank and the key again and replace the current rubric. You can restore it
          from the versions.
        </p>
        {draft.changed && <p>Your unsaved changes can no longer be saved after that.</p>}
      </ConfirmModal>
    </>
  )
}

/** Larger files are no rubrics. */
const MAX_BYTES = 5_000_000

interface ImportRubricModalProps {
  picked: { name: string; text: string } | null
  close: () => void
  draft: RubricDraft
  onImport: (rubric: Rubric) => void
}

function ImportRubricModal({ picked, close, draft, onImport }: ImportRubricModalProps) {
  const { base } = draft
  const read = useMemo(
    () => picked && parseRubricFile(picked.text, base.questions.length > 0 ? base : null),
    [picked, base],
  )
  const rubric = read && 'rubric' in read ? read.rubric : null
  return (
    <Modal opened={read !== null} onClose={close} title="Import a rubric">
      <div className={classes.stack}>
        {read && 'problems' in read && (
          <Notice tone="bad" title={`${picked?.name} cannot be used`}>
            <ul className={classes.changes}>
              {read.problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Notice>
        )}
        {read && rubric && (
          <>
            <span>
              From “{'title' in read ? read.title : ''}”: {plural(rubric.questions.length, 'question')},{' '}
              {plural(totalPoints(rubric), 'point')}.
            </span>
            <ChangesList before={draft.rubric} after={rubric} />
            <span>Nothing is saved yet. You can review or discard the import.</span>
          </>
        )}
      </div>
      <div className={confirm.buttons}>
        <SecondaryButton onClick={close}>{rubric ? 'Cancel' : 'Close'}</SecondaryButton>
        {rubric && (
          <Button
            data-autofocus
            onClick={() => {
              onImport(rubric)
              close()
            }}
          >
            Import
          </Button>
        )}
      </div>
    </Modal>
  )
}
