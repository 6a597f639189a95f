import classes from './UploadProgress.module.css'

export function UploadProgress({ name, share }: { name: string; share: number }) {
  return (
    <div
      className={classes.root}
      role="progressbar"
      aria-label={`Upload of ${name}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      tabIndex={-1}
    >
      <div style={{ width: `${share * 100}%` }} />
    </div>
  )
}
