import { type AnswerDetails, getAnswerPicture } from '@assay/shared/questions.ts'
import { useEffect } from 'react'
import { useSWRConfig } from 'swr'
import { SubtleButton } from '../../../../components/display/buttons.tsx'
import { urlFor } from '../../../../lib/api/http-client.ts'
import { usePicture } from '../../../../lib/api/usePicture.ts'
import classes from './AnswerCard.module.css'

interface Props {
  params: { assignmentId: number; questionId: string; submissionId: number }
  pictures: AnswerDetails['pictures']
  label: string
  showPage?: () => void
}

export function AnswerPictures({ params, pictures, label, showPage }: Props) {
  if (pictures.length === 0) return <p className={classes.none}>Its place on the page is not known.</p>
  return pictures.map(({ picture, page }) => (
    <Picture key={picture} params={{ ...params, picture }} label={`${label}, page ${page}`} showPage={showPage} />
  ))
}

interface PictureProps {
  params: Props['params'] & { picture: number }
  label: string
  showPage: Props['showPage']
}

function Picture({ params, label, showPage }: PictureProps) {
  const key = urlFor(getAnswerPicture, params)
  const { url, error, retry } = usePicture(getAnswerPicture, { params }, { revalidateOnFocus: false })
  const { cache } = useSWRConfig()
  // Of thousands only those in sight are kept; the browser caches the others.
  useEffect(() => () => void cache.delete(key), [cache, key])
  if (url && !showPage)
    return (
      <span className={classes.picture}>
        <img src={url} alt={label} />
      </span>
    )
  if (url)
    return (
      <button type="button" className={classes.picture} onClick={showPage} tabIndex={-1}>
        <img src={url} alt={label} />
      </button>
    )
  if (error)
    return (
      <p className={classes.none}>
        The picture could not be loaded.{' '}
        <SubtleButton size="compact-sm" onClick={retry}>
          Try again
        </SubtleButton>
      </p>
    )
  return <div className={classes.loading} role="img" aria-label={`${label}, loading`} />
}
