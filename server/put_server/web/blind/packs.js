// Written by scripts/docs from the wire's types and the rule sets. Do not edit it.

// The packs, in canonical order.
export const PACKS = {
    "french-52": ["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "10s", "Js", "Qs", "Ks", "As", "2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "10h", "Jh", "Qh", "Kh", "Ah", "2d", "3d", "4d", "5d", "6d", "7d", "8d", "9d", "10d", "Jd", "Qd", "Kd", "Ad", "2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "10c", "Jc", "Qc", "Kc", "Ac"],
    "french-40": ["2s", "3s", "4s", "5s", "6s", "7s", "Js", "Qs", "Ks", "As", "2h", "3h", "4h", "5h", "6h", "7h", "Jh", "Qh", "Kh", "Ah", "2d", "3d", "4d", "5d", "6d", "7d", "Jd", "Qd", "Kd", "Ad", "2c", "3c", "4c", "5c", "6c", "7c", "Jc", "Qc", "Kc", "Ac"],
    "put-32": ["2s", "3s", "9s", "10s", "Js", "Qs", "Ks", "As", "2h", "3h", "9h", "10h", "Jh", "Qh", "Kh", "Ah", "2d", "3d", "9d", "10d", "Jd", "Qd", "Kd", "Ad", "2c", "3c", "9c", "10c", "Jc", "Qc", "Kc", "Ac"],
    "put-28": ["2s", "3s", "10s", "Js", "Qs", "Ks", "As", "2h", "3h", "10h", "Jh", "Qh", "Kh", "Ah", "2d", "3d", "10d", "Jd", "Qd", "Kd", "Ad", "2c", "3c", "10c", "Jc", "Qc", "Kc", "Ac"],
    "truc-32": ["7s", "8s", "9s", "10s", "Js", "Qs", "Ks", "As", "7h", "8h", "9h", "10h", "Jh", "Qh", "Kh", "Ah", "7d", "8d", "9d", "10d", "Jd", "Qd", "Kd", "Ad", "7c", "8c", "9c", "10c", "Jc", "Qc", "Kc", "Ac"],
    "truc-28": ["6s", "7s", "10s", "Js", "Qs", "Ks", "As", "6h", "7h", "10h", "Jh", "Qh", "Kh", "Ah", "6d", "7d", "10d", "Jd", "Qd", "Kd", "Ad", "6c", "7c", "10c", "Jc", "Qc", "Kc", "Ac"],
    "tarot-78": ["0t", "1w", "2w", "3w", "4w", "5w", "6w", "7w", "8w", "9w", "10w", "Jw", "Cw", "Qw", "Kw", "1b", "2b", "3b", "4b", "5b", "6b", "7b", "8b", "9b", "10b", "Jb", "Cb", "Qb", "Kb", "10u", "9u", "8u", "7u", "6u", "5u", "4u", "3u", "2u", "1u", "Ju", "Cu", "Qu", "Ku", "10o", "9o", "8o", "7o", "6o", "5o", "4o", "3o", "2o", "1o", "Jo", "Co", "Qo", "Ko", "1t", "2t", "3t", "4t", "5t", "6t", "7t", "8t", "9t", "10t", "11t", "12t", "13t", "14t", "15t", "16t", "17t", "18t", "19t", "20t", "21t"],
};

// How the deals of a rule set follow from its options.
export const RULE_SETS = {
    "put-1674": {"packs": [[52, "french-52"], [32, "put-32"], [28, "put-28"]], "option": "pack", "hands": {"2": 3, "3": 4, "4": 5}},
    "put-1800": {"packs": [[52, "french-52"], [32, "put-32"], [28, "put-28"]], "option": "pack", "hands": {"2": 3}},
    "put-partners": {"packs": [[52, "french-52"], [32, "put-32"], [28, "put-28"]], "option": "pack", "is_read": true},
    "put-parlett": {"packs": [[52, "french-52"], [32, "put-32"], [28, "put-28"]], "option": "pack", "hands": {"2": 3}},
    "put-tavern": {"packs": [[52, "french-52"], [32, "put-32"], [28, "put-28"]], "option": "pack", "hands": {"2": 3, "3": 4, "4": 5}},
    "truc": {"packs": [["french", "truc-32"], ["printed", "truc-28"]], "option": "ranking", "hands": {"2": 3}},
    "triomphe-forcee": {"packs": [["", "tarot-78"]], "is_read": true},
    "primero": {"packs": [["", "french-40"]], "is_read": true},
};

// The acts that each event tells.
export const ACTS = {
    "played": ["play"],
    "put": ["put"],
    "saw": ["see"],
    "threw_in": ["throw"],
    "passed": ["pass"],
    "doubled": ["double"],
    "gave": ["give"],
    "discarded": ["discard"],
    "triomphe.played": ["triomphe.play"],
    "primero.bid": ["primero.bet", "primero.raise"],
    "primero.saw": ["primero.see"],
    "primero.refused": ["primero.refuse"],
    "primero.passed": ["primero.pass"],
    "primero.traded": ["primero.trade"],
    "primero.stood": ["primero.stand"],
    "primero.vada": ["primero.vada"],
    "primero.went_on": ["primero.go_on"],
    "primero.announced": ["primero.announce"],
};

// Acts that name cards which others do not see.
export const UNSEEN_ACTS = {
    "discard": true,
    "primero.trade": true,
};
