const ATTEMPTS = [
  "<script>globalThis.ran = 1</script>",
  "<img src=x onerror=globalThis.ran=1>",
  "<svg onload=globalThis.ran=1>",
  "<a href=javascript:globalThis.ran=1>x</a>",
  "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
  "<foreignObject><body onload=globalThis.ran=1></foreignObject>",
  "<style>@import url(//127.0.0.1:9/x.css)</style>",
  "<use href='data:image/svg+xml,x#y'/>",
  "<animate onbegin=globalThis.ran=1 attributeName=x dur=1s />",
  "<set attributeName=href to=javascript:globalThis.ran=1 />",
  "<handler type='text/javascript'>globalThis.ran=1</handler>",
  "<!ENTITY x SYSTEM 'file:///etc/passwd'>&x;",
  "<![CDATA[<script>globalThis.ran=1</script>]]>",
  "<?xml-stylesheet href='javascript:globalThis.ran=1'?>",
  "&lt;script&gt;globalThis.ran=1&lt;/script&gt;",
  "&#60;script&#62;globalThis.ran=1&#60;/script&#62;",
  "javascript:globalThis.ran=1",
  "{{constructor.constructor('globalThis.ran=1')()}}",
  "#{globalThis.ran=1}",
  "\u202e<script>globalThis.ran=1</script>",
];
const AROUND = ["", '">', "'>", "</text></title>", "]]>-->"];

/** A hundred texts that would run a script, or load something, where they became markup. */
export const SCRIPT_INJECTIONS: readonly string[] = AROUND.flatMap((before) => ATTEMPTS.map((text) => before + text));
