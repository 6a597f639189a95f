import { getOwnGradedPaper } from '@assay/shared/graded-papers.ts'
import { getSubmissionFile } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { downloadFile, useAttempt } from '../../../lib/api/api-hooks.ts'

interface Props {
  assignmentId: number
  submissionId: number
  title: string
  /** With points and comments on its pages, else as it was handed in. */
  graded?: boolean
}

export function DownloadPaperButton({ assignmentId, submissionId, title, graded = false }: Props) {
  const { save, saving, failure } = useFileDownload()
  const start = () =>
    graded
      ? save(getOwnGradedPaper, { params: { assignmentId } }, `${title} (graded).pdf`)
      : save(getSubmissionFile, { params: { assignmentId, submissionId } }, `${title}.pdf`)
  return (
    <>
      <Button
        variant={graded ? 'default' : 'subtle'}
        mt={graded ? 12 : 0}
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={saving}
        onClick={() => void start()}
      >
        {graded ? 'Download graded paper' : 'Download'}
      </Button>
      {failure && <Notice tone="bad">{failure}</Notice>}
    </>
  )
}

export function useFileDownload() {
  const { attempt, busy: saving, failure } = useAttempt('The download failed. Please try again.')
  const save: typeof downloadFile = async (...of) => {
    await attempt(() => downloadFile(...of))
  }
  return { save, saving, failure }
}
