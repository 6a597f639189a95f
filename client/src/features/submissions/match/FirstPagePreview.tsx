import { getSubmissionPage } from '@assay/shared/submissions.ts'
import { IconFileTypePdf } from '@tabler/icons-react'
import useSWR from 'swr'
import { fetchFile } from '../../../lib/api/call-api.ts'
import { urlFor } from '../../../lib/api/http-client.ts'
import { useObjectUrl } from '../../../lib/hooks/useObjectUrl.ts'
import { useSeen } from '../../../lib/hooks/useSeen.ts'
import classes from './MatchList.module.css'

interface Props {
  assignmentId: number
  submissionId: number
  fileName: string
}

const WIDTH = 800

/** The head of a paper's first page, where names stand; asked for once it comes into sight. */
export function FirstPagePreview({ assignmentId, submissionId, fileName }: Props) {
  const { ref, seen } = useSeen<HTMLDivElement>()
  const input = { params: { assignmentId, submissionId, page: 1 }, query: { width: WIDTH } }
  const { data } = useSWR(seen ? urlFor(getSubmissionPage, input.params, input.query) : null, () =>
    fetchFile(getSubmissionPage, input),
  )
  const picture = useObjectUrl(data)

  return (
    <div ref={ref} className={classes.page}>
      {picture ? (
        <img src={picture} alt={`First page of ${fileName}`} />
      ) : (
        <IconFileTypePdf size={28} stroke={1.4} aria-hidden />
      )}
    </div>
  )
}
