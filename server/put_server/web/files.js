// Files that the browser saves.

/** Have the browser save a file. @param {string} name @param {string} text @param {string} type */
export function saveFile(name, text, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
