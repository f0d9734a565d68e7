"""What a reproduced study leaves for people: its page, its folder, and one page on all of them."""
