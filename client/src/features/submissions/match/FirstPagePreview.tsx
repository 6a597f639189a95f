import { getSubmissionPage } from '@assay/shared/submissions.ts'
import { IconFileTypePdf } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import useSWR from 'swr'
import { fetchFile } from '../../../lib/api/call-api.ts'
import { urlFor } from '../../../lib/api/http-client.ts'
import classes from './MatchList.module.css'

interface Props {
  assignmentId: number
  submissionId: number
  fileName: string
}

const WIDTH = 800

/** The head of a paper's first page, where names stand; asked for once it comes into sight. */
export function FirstPagePreview({ assignmentId, submissionId, fileName }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])

  const input = { params: { assignmentId, submissionId, page: 1 }, query: { width: WIDTH } }
  const { data } = useSWR(seen ? urlFor(getSubmissionPage, input.params, input.query) : null, () =>
    fetchFile(getSubmissionPage, input),
  )
  const [picture, setPicture] = useState<string>()
  useEffect(() => {
    if (!data) return
    const url = URL.createObjectURL(data)
    setPicture(url)
    return () => URL.revokeObjectURL(url)
  }, [data])

  return (
    <div ref={frame} className={classes.page}>
      {picture ? (
        <img src={picture} alt={`First page of ${fileName}`} />
      ) : (
        <IconFileTypePdf size={28} stroke={1.4} aria-hidden />
      )}
    </div>
  )
}
