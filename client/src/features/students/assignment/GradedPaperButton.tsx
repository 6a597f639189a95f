import { getOwnGradedPaper } from '@assay/shared/graded-papers.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { useFileDownload } from './useFileDownload.ts'

/** Downloads one's own paper with the points and comments on it. An error is shown below the button. */
export function GradedPaperButton({ assignmentId, title }: { assignmentId: number; title: string }) {
  const { save, saving, failure } = useFileDownload()
  return (
    <>
      <Button
        variant="default"
        mt={12}
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={saving}
        onClick={() => void save(getOwnGradedPaper, { params: { assignmentId } }, `${title} (graded).pdf`)}
      >
        Download graded paper
      </Button>
      {failure && <Notice tone="bad">{failure}</Notice>}
    </>
  )
}
