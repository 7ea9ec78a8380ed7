// What every page needs and Streamlit has no setting for: the language a screen reader shall speak, and parts that scroll
// within the page can be reached by the keyboard.

const SCROLLING = ".stMain div, .stMain pre";
const MEANWHILE = [150, 600]; // ms; a page that is being drawn changes many times, and a chart is laid out after it was made

function makeReachable() {
  for (const part of document.querySelectorAll(SCROLLING)) {
    const scrolls = part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
    const style = scrolls ? getComputedStyle(part) : null;
    const moves = scrolls && [style.overflowX, style.overflowY].some((how) => how === "auto" || how === "scroll");
    if (moves && !part.hasAttribute("tabindex")) part.tabIndex = 0;
  }
}

let watching = null;

export default ({ data }) => {
  document.documentElement.lang = data.language;
  if (watching) return;
  let waiting = [];
  watching = new MutationObserver(() => {
    waiting.forEach(clearTimeout);
    waiting = MEANWHILE.map((time) => setTimeout(makeReachable, time));
  });
  watching.observe(document.body, { childList: true, subtree: true, attributeFilter: ["style"] });
  makeReachable();
};
