export function LmsRemovalNote() {
  return (
    <p>
      The LMS lists them, so the next sync will add them again. To remove them permanently, remove them from the course
      there.
    </p>
  )
}
