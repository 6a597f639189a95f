import { type ClassScanPage, getClassScanPage } from '@assay/shared/class-scans.ts'
import useSWR from 'swr'
import { fetchFile } from '../../lib/api/call-api.ts'
import { urlFor } from '../../lib/api/http-client.ts'
import { useObjectUrl } from '../../lib/hooks/useObjectUrl.ts'
import { useSeen } from '../../lib/hooks/useSeen.ts'
import classes from './class-scans.module.css'

interface Props {
  assignmentId: number
  scanId: number
  page: ClassScanPage
}

/** A small picture of a page, which what is around it names; asked for once it comes near to sight. */
export function PagePicture({ assignmentId, scanId, page: { page, turn } }: Props) {
  const { ref, seen } = useSeen<HTMLDivElement>('300px')
  const input = { params: { assignmentId, scanId, page }, query: { size: 'small' as const } }
  const { data } = useSWR(seen ? urlFor(getClassScanPage, input.params, input.query) : null, () =>
    fetchFile(getClassScanPage, input),
  )
  const picture = useObjectUrl(data)
  return (
    <div ref={ref} className={classes.picture}>
      {picture && <img src={picture} alt="" draggable={false} style={{ rotate: `${turn}deg` }} />}
    </div>
  )
}
