import type { Assignment } from '@assay/shared/assignments.ts'
import { type CurrentRubric, exportRubric, generateRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { Button, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronDown, IconFileText, IconHistory } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { downloadFile, useSend } from '../../lib/api/api-hooks.ts'
import { toast } from '../../lib/toast.ts'
import { PaperVersionsModal } from './editor/PaperVersionsModal.tsx'
import { ImportRubricModal } from './ImportRubricModal.tsx'
import { versionedQuestions } from './paper-versions.ts'
import { useRubricPapers } from './papers/rubric-papers.tsx'
import type { RubricDraft } from './useRubricDraft.ts'
import { VersionsDrawer } from './versions/VersionsDrawer.tsx'

interface Props {
  assignment: Assignment
  current: CurrentRubric
  draft: RubricDraft
  /** Takes a rubric over as what is being written. */
  onImported: (rubric: Rubric) => void
  saved: (current: CurrentRubric) => void
  put: (current: CurrentRubric) => void
  /** Whether the papers are not beside it anyway. */
  withPapers: boolean
}

/** Papers, versions, files, and generating it again. */
export function RubricToolbar({ assignment, current, draft, onImported, saved, put, withPapers }: Props) {
  const small = useMediaQuery('(max-width: 47.99em)')
  const papers = useRubricPapers()
  const [shown, setShown] = useState<'versions' | 'paper_versions' | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [remakeBy, setRemakeBy] = useState<'rules' | 'model' | null>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const make = useSend(generateRubric)
  const params = { assignmentId: assignment.id }
  const busy = current.held || current.generation?.state === 'running'
  const close = () => setShown(null)

  async function save() {
    try {
      await downloadFile(exportRubric, { params }, `${assignment.title} rubric.json`)
    } catch (error) {
      toast.error(messageOf(error, 'The rubric could not be exported.'))
    }
  }

  return (
    <>
      {withPapers && (
        <Button
          variant="default"
          leftSection={<IconFileText size={18} aria-hidden />}
          onClick={() => papers.setSheetOpened(true)}
        >
          Blank and Key
        </Button>
      )}
      {!small && (
        <Button
          variant="default"
          leftSection={<IconHistory size={18} aria-hidden />}
          disabled={current.rubric === null}
          onClick={() => setShown('versions')}
        >
          Versions
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            More
          </Button>
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
          setFile(event.currentTarget.files?.[0] ?? null)
          // The same file may be chosen again once it is mended.
          event.currentTarget.value = ''
        }}
      />
      <ImportRubricModal file={file} close={() => setFile(null)} draft={draft} onImport={onImported} />
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
